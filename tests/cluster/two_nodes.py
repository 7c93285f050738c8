"""A Ray cluster of two nodes on this machine, as a program: prints its address and takes commands on standard input.

``kill`` kills the second node as a power failure would; the end of the input stops the cluster.
"""

import logging
import os
import sys
import warnings


def main() -> None:
    """Runs the cluster."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    warnings.simplefilter("ignore")
    from ray.cluster_utils import Cluster

    logging.disable(logging.CRITICAL)
    settings = {"num_cpus": 1, "object_store_memory": 200 << 20, "include_log_monitor": False}
    noticing = {"health_check_period_ms": 1000, "health_check_failure_threshold": 3}
    cluster = Cluster(
        initialize_head=True,
        head_node_args={**settings, "include_dashboard": False, "no_monitor": True, "_system_config": noticing},
    )
    second = cluster.add_node(**settings)
    sys.stdout.write(f"ADDRESS {cluster.address}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(second, allow_graceful=False)
            sys.stdout.write("KILLED\n")
            sys.stdout.flush()
    cluster.shutdown()


if __name__ == "__main__":
    main()
