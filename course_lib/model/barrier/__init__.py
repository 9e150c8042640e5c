"""What holds a phase or takes time: barriers, scripts, pipelines, multicast."""
