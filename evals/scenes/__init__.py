"""Houses of our own: seeded plans, furniture, pictures, pairs and sentences in POVBench's layout, with pip alone."""
