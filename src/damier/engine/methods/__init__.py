"""Search methods: alpha-beta, expectimax and Monte-Carlo tree search, with their buffers and kernels."""
