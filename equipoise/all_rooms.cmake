# The rooms that need no MPI, floor by floor.
equipoise_room(base DIRS base HEADER_ONLY nlohmann_json::nlohmann_json)
equipoise_room(network DIRS network DEPENDS equipoise_base)
equipoise_room(model_local DIRS model/local DEPENDS equipoise_base)
equipoise_room(theory DIRS theory DEPENDS equipoise_base)
equipoise_room(statistics DIRS statistics DEPENDS equipoise_base HEADER_ONLY Eigen3::Eigen)
equipoise_room(load DIRS load DEPENDS equipoise_network HEADER_ONLY nlohmann_json::nlohmann_json)
equipoise_room(model_run DIRS model/run DEPENDS equipoise_load equipoise_model_local
               HEADER_ONLY nlohmann_json::nlohmann_json)
equipoise_room(protocols DIRS protocols DEPENDS equipoise_model_local)
equipoise_room(programs DIRS programs DEPENDS equipoise_model_local)
equipoise_room(mesh DIRS mesh DEPENDS equipoise_model_run)
equipoise_room(engine DIRS engine DEPENDS equipoise_model_run
               $<$<BOOL:${OpenMP_CXX_FOUND}>:OpenMP::OpenMP_CXX>)
if(EQUIPOISE_METIS_LIBRARIES)
    target_link_libraries(equipoise_engine PRIVATE ${EQUIPOISE_METIS_LIBRARIES})
    set_source_files_properties(engine/parts/metis.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_METIS)
endif()
equipoise_room(analysis DIRS analysis DEPENDS equipoise_model_run equipoise_theory
               $<$<BOOL:${OpenMP_CXX_FOUND}>:OpenMP::OpenMP_CXX>
               HEADER_ONLY Eigen3::Eigen Spectra::Spectra)
target_link_libraries(equipoise_analysis PRIVATE gmpxx gmp)
equipoise_room(optimum DIRS optimum DEPENDS equipoise_load)
# LEMON's headers use members of allocators that C++20 removed: their one unit is C++17.
set_source_files_properties(optimum/flows/lemon_flow.cpp PROPERTIES COMPILE_OPTIONS -std=c++17
                            SKIP_PRECOMPILE_HEADERS ON)
equipoise_room(placement DIRS placement DEPENDS equipoise_load)
# Traces may be compressed, where the library is found.
equipoise_room(trace DIRS trace DEPENDS equipoise_base HEADER_ONLY nlohmann_json::nlohmann_json)
if(EQUIPOISE_BROTLI_LIBRARIES)
    target_link_libraries(equipoise_trace PRIVATE ${EQUIPOISE_BROTLI_LIBRARIES})
    set_source_files_properties(trace/brotli.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_BROTLI)
endif()
equipoise_room(verify DIRS verify DEPENDS equipoise_model_run
               HEADER_ONLY nlohmann_json::nlohmann_json)
equipoise_list_claims(equipoise_verify ${PROJECT_SOURCE_DIR}/docs/algorithms)
equipoise_room(reassign DIRS reassign DEPENDS equipoise_optimum
               HEADER_ONLY nlohmann_json::nlohmann_json)
target_link_libraries(equipoise_reassign PRIVATE gmpxx gmp)
if(EQUIPOISE_CLP_LIBRARIES)
    target_link_libraries(equipoise_reassign PRIVATE ${EQUIPOISE_CLP_LIBRARIES})
    set_source_files_properties(reassign/bounds/clp.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_CLP)
endif()
equipoise_room(replication DIRS replication DEPENDS equipoise_optimum equipoise_placement)
equipoise_room(kafka DIRS adapters/kafka DEPENDS equipoise_reassign
               HEADER_ONLY nlohmann_json::nlohmann_json)
equipoise_embed(equipoise_kafka kafka adapters/kafka script_file
                ${CMAKE_CURRENT_SOURCE_DIR}/adapters/kafka/steps.sh)
equipoise_room(redis DIRS adapters/redis DEPENDS equipoise_reassign)
# Clusters that are running are asked where the library is found; its headers, in C, stay away from
# the others.
if(EQUIPOISE_HIREDIS_LIBRARIES)
    target_link_libraries(equipoise_redis PRIVATE ${EQUIPOISE_HIREDIS_LIBRARIES})
    set_source_files_properties(adapters/redis/connection.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_HIREDIS
                                SKIP_UNITY_BUILD_INCLUSION ON)
endif()
equipoise_room(experts DIRS adapters/experts DEPENDS equipoise_replication
               HEADER_ONLY nlohmann_json::nlohmann_json)
# Placements may be YAML, where the library is found.
if(EQUIPOISE_YAML_LIBRARIES)
    target_link_libraries(equipoise_experts PRIVATE ${EQUIPOISE_YAML_LIBRARIES})
    set_source_files_properties(adapters/experts/yaml.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_YAML)
endif()
equipoise_room(report DIRS report DEPENDS equipoise_analysis equipoise_optimum
               equipoise_placement equipoise_kafka equipoise_redis equipoise_experts
               equipoise_statistics equipoise_theory equipoise_trace equipoise_verify fmt::fmt
               HEADER_ONLY nlohmann_json::nlohmann_json)
equipoise_embed_page(equipoise_report)
equipoise_embed_schemas(equipoise_report)
equipoise_compiles_quickly(equipoise_report)
equipoise_room(catalogue DIRS catalogue DEPENDS equipoise_engine equipoise_protocols
               equipoise_programs equipoise_mesh equipoise_optimum equipoise_analysis
               equipoise_placement equipoise_theory equipoise_trace equipoise_verify
               equipoise_report fmt::fmt
               HEADER_ONLY nlohmann_json::nlohmann_json
               PRECOMPILED equipoise_precompiled_catalogue)
equipoise_list_entries(equipoise_catalogue ${CMAKE_CURRENT_SOURCE_DIR}/catalogue/registry/entries)
equipoise_compiles_quickly(equipoise_catalogue)
target_compile_definitions(equipoise_catalogue PRIVATE EQUIPOISE_VERSION="${PROJECT_VERSION}")
if(MPI_CXX_FOUND)
    set_source_files_properties(catalogue/runner/build_info.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_MPI)
endif()
equipoise_room(agent DIRS agent DEPENDS equipoise_engine equipoise_programs equipoise_report
               HEADER_ONLY nlohmann_json::nlohmann_json)
# Servers of NATS are reached where the library is found; its headers, in C, stay away from the
# others.
if(EQUIPOISE_NATS_LIBRARIES)
    target_link_libraries(equipoise_agent PRIVATE ${EQUIPOISE_NATS_LIBRARIES})
    set_source_files_properties(agent/nats.cpp agent/job_stream.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_NATS
                                SKIP_UNITY_BUILD_INCLUSION ON)
endif()
# The live page, likewise.
if(EQUIPOISE_HTTPLIB_LIBRARIES)
    target_link_libraries(equipoise_agent PRIVATE ${EQUIPOISE_HTTPLIB_LIBRARIES})
    set_source_files_properties(agent/web.cpp PROPERTIES
                                COMPILE_DEFINITIONS EQUIPOISE_WITH_HTTPLIB
                                SKIP_UNITY_BUILD_INCLUSION ON)
endif()
