"""Tools of the developers: the catalogue of sentences, the pictures of the documentation."""
