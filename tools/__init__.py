"""Tools for developers: installation, catalogue, pictures, golden files, browser and client checks."""
