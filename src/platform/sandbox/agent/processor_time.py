"""
What the processes of the box have used of its processors, where no control group counts it.

The kernel keeps no sum for a process that its parent never waits for. Where such a process begins and ends between two
readings, its time is lost. The kernel numbers all processes and threads, so a reading knows how many have ended since the
last one. If more have ended than this process has waited for, all the time between the two readings counts: the box cannot
have used more.
"""
import os
import resource
import time

import processes

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PROCESSORS = len(os.sched_getaffinity(0))


class Reading:
    def __init__(self):
        self.ticks, self.tasks, self.waited_for = {}, 0, 0
        self.programs = 0
        for name in os.listdir("/proc"):
            if name.isdigit() and name != "1":
                try:
                    with open(f"/proc/{name}/stat") as file:
                        fields = file.read().rpartition(")")[2].split()
                except OSError:
                    continue
                used, of_children = (sum(map(int, fields[at : at + 2])) for at in (11, 13))
                self.ticks[name, fields[19]] = used
                self.waited_for += used + of_children
                self.tasks += int(fields[17])
                self.programs += fields[0] not in "ZX"
        # After the list, so that what begins meanwhile is taken for ended, and not for running.
        with open("/proc/loadavg") as file:
            self.newest = int(file.read().split()[4])
        self.reaped = processes.reaped
        self.at = time.monotonic()
        self.own_seconds = time.process_time()


last = Reading()
ended_ticks = 0
measured_seconds = 0
counted_seconds = 0


def count_processor_time():
    """The seconds of all processes but this one, also of those that have ended."""
    global last, counted_seconds
    now = Reading()
    grown = measure(now)
    if has_lost(now):
        wall = (now.at - last.at) * PROCESSORS - (now.own_seconds - last.own_seconds)
        grown = max(grown, wall)
    counted_seconds += grown
    last = now
    return counted_seconds


def count_programs():
    """How many ran at the last reading."""
    return last.programs


def measure(now):
    """
    By how much the sum has grown. A process whose parent does not wait for it is in no other's sum, so each one is also counted
    as it was last seen.
    """
    global ended_ticks, measured_seconds
    ended_ticks += sum(ticks for each, ticks in last.ticks.items() if each not in now.ticks)
    seen = (ended_ticks + sum(now.ticks.values())) / TICKS_PER_SECOND
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    summed = children.ru_utime + children.ru_stime + now.waited_for / TICKS_PER_SECOND
    grown = max(0, seen - measured_seconds, summed - measured_seconds)
    measured_seconds += grown
    return grown


def has_lost(now):
    """Whether more has ended than this process has waited for. Numbers begin anew after the greatest."""
    begun = now.newest - last.newest
    return begun < 0 or last.tasks + begun - now.tasks > now.reaped - last.reaped
