// What boxes do not see of /proc: the parts that belong to the machine and not to a process. The list is the one of
// container runtimes ("maskedPaths" and "readonlyPaths" of runc's default configuration), with the kernel's keys and
// page tables.
import { existsSync, statSync } from 'node:fs'

const masked = [
  ...[
    'acpi',
    'asound',
    'bus',
    'driver',
    'fs',
    'interrupts',
    'irq',
    'kallsyms',
    'kcore',
    'key-users',
  ],
  ...['keys', 'kmsg', 'kpagecgroup', 'kpagecount', 'kpageflags', 'latency_stats', 'sched_debug'],
  ...['scsi', 'sysrq-trigger', 'timer_list', 'timer_stats', 'vmallocinfo'],
].map((name) => `/proc/${name}`)

let options: readonly string[] | undefined

/** Bubblewrap takes these after its own /proc. The box has the kernel of this machine, so both have the same files. */
export function processFolderMasks(): readonly string[] {
  options ??= [
    ...masked.filter((place) => existsSync(place)).flatMap(hide),
    ...['--ro-bind', '/proc/sys', '/proc/sys'],
  ]
  return options
}

const hide = (place: string): string[] =>
  statSync(place).isDirectory()
    ? ['--tmpfs', place, '--remount-ro', place]
    : ['--dev-bind', '/dev/null', place]
