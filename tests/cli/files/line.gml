graph [
  node [ id 1 label "Ost" ]
  node [ id 2 label "Mitte" ]
  node [ id 3 label "West" ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 3 ]
]
