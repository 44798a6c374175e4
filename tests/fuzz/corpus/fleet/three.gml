# Three sites in a triangle, all on this machine: each is the neighbour of the others.
graph [
  label "three"
  node [ id 0 label "chicago" server "nats://127.0.0.1:4222" ]
  node [ id 1 label "denver" server "nats://127.0.0.1:4223" ]
  node [ id 2 label "seattle" server "nats://127.0.0.1:4224" ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 0 ]
]
