graph [
  label "all"
  node [ id 0 label "a" server "nats://u:p@h:1" stream "S" subjects "s.>" consumer "C" ]
  node [ id 1 label "b" server "tls://h:2" ca "ca.pem" credentials "b.creds" ]
  edge [ source 1 target 0 source_server "nats://x:3" target_server "y:4" ]
]
