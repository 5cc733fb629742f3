// Runs inside the box of a confined Chromium, as text: it may use nothing from outside its own body. The box has no
// network, so the bridge carries connections between Chromium's loopback and two sockets of the gateway. It also ends a
// Chromium that uses too much memory, which no limit of the kernel does without cgroups.

export interface BridgeSettings {
  /** The gateway's proxy, as the box sees it. */
  readonly egressSocket: string
  /** Where the gateway waits for connections to DevTools. */
  readonly devtoolsSocket: string
  readonly proxyPort: number
  readonly devtoolsPort: number
  /** Memory of all processes of the box without what they share. */
  readonly memoryBytesMax: number
  readonly memoryCheckMs: number
}

/** The program of Node that runs the bridge. */
export const bridgeProgram = (settings: BridgeSettings) =>
  `(${runBridge.toString()})(${JSON.stringify(settings)})`

function runBridge(settings: BridgeSettings): void {
  const net = process.getBuiltinModule('node:net')
  const fs = process.getBuiltinModule('node:fs')
  const { egressSocket, devtoolsSocket, proxyPort, devtoolsPort } = settings
  const chromium = process.ppid
  const pageBytes = 4_096

  function join(one: import('node:net').Socket, other: import('node:net').Socket) {
    one.on('error', () => other.destroy())
    other.on('error', () => one.destroy())
    one.on('close', () => other.destroy())
    other.on('close', () => one.destroy())
    one.pipe(other)
    other.pipe(one)
  }

  net
    .createServer((client) => join(client, net.connect(egressSocket)))
    .listen(proxyPort, '127.0.0.1')

  // Keeps one idle connection at the gateway. The box makes all connections, so nothing in it is ever connected to.
  function offer() {
    const gateway = net.connect(devtoolsSocket)
    gateway.on('error', () => process.exit(1))
    gateway.once('data', (first) => {
      gateway.removeAllListeners('error')
      offer()
      gateway.pause()
      const devtools = net.connect(devtoolsPort, '127.0.0.1')
      devtools.write(first)
      join(gateway, devtools)
    })
  }
  offer()

  setInterval(() => {
    let bytes = 0
    for (const name of fs.readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      try {
        const [, resident = 0, shared = 0] = fs
          .readFileSync(`/proc/${name}/statm`, 'utf8')
          .split(' ')
          .map(Number)
        bytes += (resident - shared) * pageBytes
      } catch {
        // It has ended meanwhile.
      }
    }
    if (bytes > settings.memoryBytesMax) process.kill(chromium, 'SIGKILL')
  }, settings.memoryCheckMs)
}
