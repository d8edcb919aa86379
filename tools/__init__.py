"""What sees: pictures, cameras, markers, coordinates, decoding. Nothing here knows of models or benchmarks."""
