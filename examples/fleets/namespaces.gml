# Three machines in a triangle, each with an address of its own (namespaces.sh makes them).
graph [
  label "three"
  node [ id 0 label "chicago" server "nats://10.77.0.1:4222" ]
  node [ id 1 label "denver" server "nats://10.77.0.2:4222" ]
  node [ id 2 label "seattle" server "nats://10.77.0.3:4222" ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 0 ]
]
