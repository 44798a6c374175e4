graph [
  node [ id 0 label "a" server "nats://h:1" ]
  node [ id 1 label "a" server "nats://h:2" ]
  edge [ source 1 target 0 ]
]
