// Boxes reach the internet only through the gateway's proxy, only where the operator allows it, and never a private
// address.
import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { systemClock as clock } from '../clock.ts'
import { createEgressGuard } from '../egress/guard.ts'
import { type LoopbackServer, serve } from '../egress/loopback.fixture.ts'
import { noGroups } from './control-groups.ts'
import type { StandingBox } from './standing-box.ts'
import { createStandingBoxes } from './standing-boxes.ts'

const isInstalled = (await createStandingBoxes({ clock }).missing()) === undefined
const confined = test.skipIf(!isInstalled)
const { signal } = new AbortController()
const content = randomBytes(5_000_000)
const bytesMax = 20_000_000

let site: LoopbackServer
let secret: LoopbackServer
let folder: string
let boxes: ReturnType<typeof createStandingBoxes>

beforeAll(async () => {
  site = await serve((incoming, response) => {
    if (incoming.method === 'POST') incoming.pipe(response)
    else response.end(incoming.url === '/large' ? content : `reached ${incoming.headers.host}`)
  })
  secret = await serve((_incoming, response) => response.end('secret'))
  folder = await makeDataDirectory()
  const lookup = async (host: string) => (host === 'private.test' ? ['10.1.2.3'] : ['127.0.0.1'])
  const guard = createEgressGuard({ allow: [site.host], lookup })
  boxes = createStandingBoxes({ clock, parent: folder, egress: { guard, bytesMax } })
})
afterAll(async () => {
  await boxes.close()
  await Promise.all([site.close(), secret.close()])
  await rm(folder, { recursive: true, force: true })
})

async function open(of = boxes): Promise<StandingBox> {
  const box = await of.open(signal)
  onTestFinished(box.close)
  return box
}

async function py(box: StandingBox, script: string, timeoutMs = 30_000) {
  const argv = ['/usr/bin/python3', '-c', script]
  const { stdout, stderr } = await box.run({ argv, timeoutMs, signal })
  return `${stdout}${stderr}`
}

const get = (url: string) => `
import urllib.request, urllib.error
try:
    print(urllib.request.urlopen(${JSON.stringify(url)}, timeout=20).read().decode())
except urllib.error.HTTPError as error:
    print("status", error.code)
except Exception as error:
    print("failed", error)
`
const connect = (target: string) => `
import socket
s = socket.create_connection(("127.0.0.1", 3128))
s.sendall(b"CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\n")
answer = s.recv(1000)
print(answer.split(b"\\r\\n")[0].decode())
if b" 200 " in answer:
    s.sendall(b"GET /tunnel HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
    while part := s.recv(1000):
        print(part.decode())
`

confined('a program reaches a public site by the proxy in its environment', async () => {
  const box = await open()
  const at = `site.test:${site.port}`
  expect(await py(box, get(`http://${at}/`))).toBe(`reached ${at}\n`)
  expect(await py(box, connect(at))).toMatch(/ 200 [\s\S]*reached x/)
  const script = `fetch('http://${at}/').then((reply) => reply.text()).then(console.log)`
  const { stdout } = await box.run({ argv: ['node', '-e', script], timeoutMs: 30_000, signal })
  expect(String(stdout)).toBe(`reached ${at}\n`)
})

confined('private addresses are refused, however they are named', async () => {
  const box = await open()
  const { port } = secret
  for (const host of ['elsewhere.test', '127.0.0.1', '[::1]', 'localhost', '169.254.169.254']) {
    const target = `${host}:${port}`
    expect(await py(box, connect(target)), host).toContain(' 403 ')
  }
  expect(await py(box, get(`http://private.test:${port}/`))).toBe('status 403\n')
  expect(await py(box, get(`http://elsewhere.test:${port}/`))).toBe('status 403\n')
  expect(await py(box, connect('elsewhere.test:25'))).toContain(' 403 ')
  const direct = `import socket; socket.create_connection(("127.0.0.1", ${port}), 2)`
  expect(await py(box, direct)).toContain('ConnectionRefusedError')
  expect(secret.hits).toEqual([])
})

confined('large bodies pass both ways, also side by side and to a slow reader', async () => {
  const box = await open()
  const url = `http://site.test:${site.port}`
  const printed = await py(
    box,
    `
import hashlib, threading, time, urllib.request
data = bytes(range(256)) * 4000
def post():
    reply = urllib.request.urlopen(urllib.request.Request("${url}/echo", data), timeout=20)
    print("same" if reply.read() == data else "other")
slow = urllib.request.urlopen("${url}/large", timeout=20)
whole = slow.read(1000)
threads = [threading.Thread(target=post) for _ in range(5)]
[each.start() for each in threads]
[each.join() for each in threads]
print(hashlib.sha256(whole + slow.read()).hexdigest())
`,
  )
  const hash = createHash('sha256').update(content).digest('hex')
  expect(printed).toBe(`${'same\n'.repeat(5)}${hash}\n`)
})

confined('a box transfers no more than its allowance, and another box still does', async () => {
  const [box, other] = [await open(), await open()]
  const url = `http://site.test:${site.port}`
  const printed = await py(
    box,
    `
import urllib.request
for turn in range(3):
    try:
        echo = urllib.request.urlopen("${url}/echo", bytes(5_000_000), timeout=20)
        print(len(echo.read()))
    except Exception as error:
        print("ended")
`,
  )
  expect(printed).toBe(`${'5000000\n'.repeat(2)}ended\n`)
  expect(await py(box, get(`${url}/`))).toMatch(/status 403|failed/)
  expect(await py(other, get(`${url}/`))).toContain('reached')
})

confined('connections above the limit of a box wait until others end', async () => {
  const box = await open()
  const printed = await py(
    box,
    `
import socket, threading, urllib.request
held = [socket.create_connection(("127.0.0.1", 3128)) for _ in range(256)]
fetched = []
fetch = threading.Thread(target=lambda: fetched.append(urllib.request.urlopen("http://site.test:${site.port}/", timeout=20).read()))
fetch.start()
fetch.join(0.2)
print(fetched)
for each in held:
    each.close()
fetch.join()
print(len(fetched))
`,
  )
  expect(printed).toBe('[]\n1\n')
})

confined('without control groups a box reaches a public site too', async () => {
  const guard = createEgressGuard({ allow: [site.host], lookup: async () => ['127.0.0.1'] })
  const own = createStandingBoxes({
    clock,
    parent: folder,
    egress: { guard, bytesMax },
    openGroups: async () => noGroups,
  })
  onTestFinished(own.close)
  expect(await own.limitedBy()).toBe('rlimits')
  const at = `site.test:${site.port}`
  expect(await py(await open(own), get(`http://${at}/`))).toBe(`reached ${at}\n`)
})

confined('the sockets of other boxes are not seen, and none is left', async () => {
  const [box, other] = [await open(), await open()]
  const find = 'find / -type s 2>/dev/null; test -S /run/gateway/egress && echo own'
  const { stdout } = await box.run({ argv: ['/bin/sh', '-c', find], timeoutMs: 30_000, signal })
  expect(String(stdout).replace('/run/gateway/egress\n', '')).toBe('own\n')
  const write = 'import os; os.unlink("/run/gateway/egress")'
  expect(await py(box, write)).toMatch(/Errno (?:13|30)/)
  expect(await py(box, get(`http://site.test:${site.port}/`))).toContain('reached')
  await Promise.all([box.close(), other.close()])
  const own = createStandingBoxes({
    clock,
    parent: folder,
    egress: { guard: createEgressGuard(), bytesMax },
  })
  await (await own.open(signal)).close()
  const before = (await readdir(folder)).length
  await own.close()
  expect((await readdir(folder)).length).toBe(before - 2)
})

confined('without the option nothing is reached', async () => {
  const own = createStandingBoxes({ clock, parent: tmpdir() })
  onTestFinished(own.close)
  const box = await open(own)
  const { stdout } = await box.run({
    argv: ['/bin/sh', '-c', 'env | grep -i proxy; ls /run'],
    timeoutMs: 30_000,
    signal,
  })
  expect(String(stdout)).toBe('')
  expect(await py(box, get(`http://site.test:${site.port}/`))).toContain('failed')
  expect(await py(box, connect(`site.test:${site.port}`))).toContain('ConnectionRefusedError')
})
