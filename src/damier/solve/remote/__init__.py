"""Tables on a server: probing from afar, lists of what a server offers, downloads."""
