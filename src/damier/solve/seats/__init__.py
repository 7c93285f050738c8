"""Values of games for three and more players with a die: what each can force, and max-n."""
