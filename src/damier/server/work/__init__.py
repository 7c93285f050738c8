"""Work for pages in processes of their own."""
