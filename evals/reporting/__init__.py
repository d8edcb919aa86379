"""What a run holds, for people and programs: tables, listings, one instance, statistics."""
