"""Short whole games in which every kind of action occurs."""

GAMES = {
    "renfa": "c3 c5 a2 b5 e1 d5 d2 c2 e4 d3 c4 a5 e4-d4 *d2",
    "chefa": "b1 a2 a1 c1 b3 c4 a5 e2 b3-b2 a2=a5",
    "badia": "a4 d1 b5 b1 d5 e2 a2 e1 e4 e5 a4-a3 e5=d5 e4-e3 b1-c1 b5-c5 e2-e3>c3 c3-e3>? >b1 d5-c5>c3 c3-c5>? >e2",
    "sensei": "g1-g2 g2-g3 end g7-g6 g6-f6 end g3-g4 g4-g5 end f6-f5 f5-f4 end g5-g6 g6-g7 d1^a1 a7-a6 end a1^g7",
}
