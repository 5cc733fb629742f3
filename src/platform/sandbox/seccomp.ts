// The system calls that programs in a box cannot make, as a filter for the kernel: what reaches into other processes, mounts, the
// kernel's keys, its interpreters and its settings, and what gives new namespaces. All other calls are allowed, because callers
// bring programs of every kind.

/** Their numbers on x64 and on arm64; undefined where the processor has no such call. */
const denied: Readonly<Record<string, readonly [number | undefined, number | undefined]>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, undefined],
  iopl: [172, undefined],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  modify_ldt: [154, undefined],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  msgget: [68, 186],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_madvise: [440, 440],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  semget: [64, 190],
  setns: [308, 268],
  settimeofday: [164, 170],
  shmget: [29, 194],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
}

interface Processor {
  readonly column: 0 | 1
  /** As the kernel names it in AUDIT_ARCH. */
  readonly audit: number
  readonly clone: number
  readonly socket: number
  readonly ioctl: number
}

const clone3 = 435
const processors: Readonly<Record<string, Processor>> = {
  x64: { column: 0, audit: 0xc000003e, clone: 56, socket: 41, ioctl: 16 },
  arm64: { column: 1, audit: 0xc00000b7, clone: 220, socket: 198, ioctl: 29 },
}

/** Calls of the x32 convention have other numbers. */
const x32Bit = 0x40000000
/** CLONE_NEWTIME to CLONE_NEWNET: namespaces of every kind. */
const namespaceFlags = 0x7e020080
/** Local, IPv4, IPv6 and netlink. Others leave the network namespace (vsock), or reach rarely used parts of the kernel. */
const addressFamilies = [1, 2, 10, 16]
/** Puts characters into the input of a terminal. */
const terminalInput = [0x5412, 0x541c]

const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06
const offsets = { number: 0, processor: 4, firstArgument: 16, secondArgument: 24 }

const allow = 0x7fff0000
const kill = 0x80000000
const errnoOf = (errno: number) => 0x00050000 | errno
const notPermitted = errnoOf(1)
/** Libraries fall back to another call. */
const notImplemented = errnoOf(38)
const familyNotSupported = errnoOf(97)

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/** The filter for a processor as Node names it. Undefined for one without a list. */
export function createSystemCallFilter(architecture: string): Buffer | undefined {
  const processor = processors[architecture]
  if (processor === undefined) return undefined
  const numbers = Object.values(denied).flatMap((each) => each[processor.column] ?? [])
  const { audit, clone, socket, ioctl } = processor
  const program: Instruction[] = [
    [loadWord, 0, 0, offsets.processor],
    [jumpIfEqual, 1, 0, audit],
    [answer, 0, 0, kill],
    [loadWord, 0, 0, offsets.number],
    [jumpIfAtLeast, 0, 1, x32Bit],
    [answer, 0, 0, kill],
    ...numbers.flatMap((number) => refuse(number, notPermitted)),
    ...refuse(clone3, notImplemented),
    // Each of these three ends the filter for its call.
    [jumpIfEqual, 0, 4, clone],
    [loadWord, 0, 0, offsets.firstArgument],
    [jumpIfAnyBit, 0, 1, namespaceFlags],
    [answer, 0, 0, notPermitted],
    [answer, 0, 0, allow],
    [jumpIfEqual, 0, 3 + addressFamilies.length, socket],
    [loadWord, 0, 0, offsets.firstArgument],
    ...addressFamilies.map(
      (family, at): Instruction => [jumpIfEqual, addressFamilies.length - at, 0, family],
    ),
    [answer, 0, 0, familyNotSupported],
    [answer, 0, 0, allow],
    [jumpIfEqual, 0, 1 + 2 * terminalInput.length, ioctl],
    [loadWord, 0, 0, offsets.secondArgument],
    ...terminalInput.flatMap((request) => refuse(request, notPermitted)),
    [answer, 0, 0, allow],
  ]
  return Buffer.concat(program.map(encode))
}

const refuse = (value: number, outcome: number): Instruction[] => [
  [jumpIfEqual, 0, 1, value],
  [answer, 0, 0, outcome],
]

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}
