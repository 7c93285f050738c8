"""Kernels: the contract between games and algorithms, and the binder that clones and compiles them."""
