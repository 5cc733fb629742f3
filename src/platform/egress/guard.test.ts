import { describe, expect, test } from 'vitest'
import { parseAllow } from './allow.ts'
import { createEgressGuard, EgressRefusal, isPublicAddress } from './guard.ts'
import { createOwnAddresses } from './own-addresses.ts'

const refusal = (reason: string) => expect.objectContaining({ name: 'EgressRefusal', reason })
const guard = createEgressGuard()

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://localhost/',
  'http://app.localhost./',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://127.0.0.1./',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://198.18.0.1/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://168.63.129.16/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[100::1]/',
  'http://[4000::1]/',
])('the address in %s is not public', (url) => {
  expect(() => guard.admit(new URL(url))).toThrow(refusal('not_public'))
})

test.each([
  'https://example.com/',
  'http://example.com:8080/',
  'http://example.com:3000/',
  'https://93.184.216.34/',
  'https://[2606:4700:4700::1111]/',
  'http://172.15.0.1/',
  'http://172.32.0.1/',
  'http://[::ffff:8.8.8.8]/',
])('%s may be requested', (url) => {
  expect(() => guard.admit(new URL(url))).not.toThrow()
})

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'data:text/html,x',
  'ws://example.com/',
])('%s is not fetched', (url) => {
  expect(() => guard.admit(new URL(url))).toThrow(refusal('scheme'))
})

test.each([22, 25, 6379, 11211, 0])('port %i of a public host is refused', (port) => {
  expect(() => guard.admit(new URL(`http://example.com:${port}/`))).toThrow(refusal('port'))
})

test('a name is refused when any of its addresses is private', async () => {
  const mixed = createEgressGuard({ lookup: async () => ['93.184.216.34', '10.0.0.5'] })
  await expect(mixed.resolve('example.com', 443)).rejects.toThrow(refusal('not_public'))
})

test('a name without an address is refused', async () => {
  const empty = createEgressGuard({ lookup: async () => [] })
  await expect(empty.resolve('nowhere.example', 443)).rejects.toThrow(refusal('no_address'))
})

test('a name with public addresses resolves to all of them', async () => {
  const lookup = async () => ['93.184.216.34', '2606:4700:4700::1111']
  await expect(createEgressGuard({ lookup }).resolve('example.com', 443)).resolves.toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ])
})

test('the refusal does not reveal the addresses of a name', async () => {
  const hidden = createEgressGuard({ lookup: async () => ['10.11.12.13'] })
  const thrown = await hidden.resolve('wiki.corp', 80).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(EgressRefusal)
  expect(String(thrown)).not.toContain('10.11.12.13')
})

test('allow opens exactly what it names', async () => {
  const lookup = async (host: string) => [host === 'wiki.corp' ? '10.1.1.1' : '10.2.2.2']
  const open = createEgressGuard({
    allow: ['wiki.corp', '10.9.0.0/16', '127.0.0.1:8080', 'git.corp:22', '[fd00::1]:81'],
    lookup,
  })
  await expect(open.resolve('wiki.corp', 80)).resolves.toHaveLength(1)
  await expect(open.resolve('WIKI.corp.', 8443)).resolves.toHaveLength(1)
  await expect(open.resolve('other.wiki.corp', 80)).rejects.toThrow(refusal('not_public'))
  await expect(open.resolve('10.1.1.1', 80)).rejects.toThrow(refusal('not_public'))
  await expect(open.resolve('10.9.255.1', 80)).resolves.toHaveLength(1)
  await expect(open.resolve('::ffff:10.9.255.1', 80)).resolves.toHaveLength(1)
  await expect(open.resolve('10.10.0.1', 80)).rejects.toThrow(refusal('not_public'))
  await expect(open.resolve('127.0.0.1', 8080)).resolves.toHaveLength(1)
  await expect(open.resolve('127.0.0.1', 8081)).rejects.toThrow(refusal('not_public'))
  await expect(open.resolve('127.0.0.2', 8080)).rejects.toThrow(refusal('not_public'))
  await expect(open.resolve('fd00::1', 81)).resolves.toHaveLength(1)
  await expect(open.resolve('fd00::1', 80)).rejects.toThrow(refusal('not_public'))
  // A host allowed on one port is allowed on that port only, even if it is not a port for web pages.
  await expect(open.resolve('git.corp', 22)).resolves.toHaveLength(1)
  await expect(open.resolve('git.corp', 80)).rejects.toThrow(refusal('not_public'))
  await expect(open.resolve('wiki.corp', 22)).rejects.toThrow(refusal('port'))
})

test.each(['', 'http://wiki.corp', '10.0.0.0/40', 'wiki.corp:99999', 'wiki corp', '*.corp'])(
  'the entry "%s" is refused when the gateway starts',
  (entry) => {
    expect(() => parseAllow(entry)).toThrow(TypeError)
  },
)

test('loopback by name is allowed where its name or its address is allowed', () => {
  for (const entry of ['localhost', '127.0.0.1', '127.0.0.1:8080', '::1'])
    expect(() =>
      createEgressGuard({ allow: [entry] }).admit(new URL('http://localhost:8080/')),
    ).not.toThrow()
  const other = createEgressGuard({ allow: ['10.0.0.0/8', '127.0.0.1:81'] })
  expect(() => other.admit(new URL('http://localhost:8080/'))).toThrow(refusal('not_public'))
})

test('a text that is not an address is not public', () => {
  expect(isPublicAddress('example.com')).toBe(false)
  expect(isPublicAddress('')).toBe(false)
})

describe('this machine', () => {
  const interfaces = ['127.0.0.1', '93.184.216.34', '2606:2800:220:1::5', 'fe80::1%eth0']
  const isOwnAddress = createOwnAddresses(() => interfaces)
  const dual = async () => ['1.1.1.1', '2606:2800:220:1::5']

  test.each([
    'http://93.184.216.34/',
    'http://93.184.216.34:8080/',
    'http://[::ffff:93.184.216.34]/',
    'http://[2606:2800:220:1:0:0:0:5]/',
    'http://0x5db8d822/',
  ])('%s is refused although it is public', (url) => {
    const own = createEgressGuard({ isOwnAddress })
    expect(() => own.admit(new URL(url))).toThrow(refusal('own'))
    expect(() => guard.admit(new URL('http://93.184.216.34/'))).not.toThrow()
  })

  test('a name that resolves to it is refused, unless its address or name is allowed', async () => {
    await expect(
      createEgressGuard({ isOwnAddress, lookup: dual }).resolve('me.example', 443),
    ).rejects.toThrow(refusal('own'))
    for (const allow of [['2606:2800:220:1::5'], ['me.example'], ['2606:2800::/32']]) {
      const open = createEgressGuard({ isOwnAddress, lookup: dual, allow })
      await expect(open.resolve('me.example', 443)).resolves.toHaveLength(2)
    }
  })

  test('an address that an interface receives later is refused within a few seconds', () => {
    let addresses: string[] = []
    let nowMs = 0
    const isOwn = createOwnAddresses(
      () => addresses,
      () => nowMs,
    )
    expect(isOwn('93.184.216.34')).toBe(false)
    addresses = ['93.184.216.34']
    nowMs += 5_000
    expect(isOwn('93.184.216.34')).toBe(true)
  })

  test('this machine’s addresses come from its network interfaces', () => {
    expect(createOwnAddresses()('::ffff:127.0.0.1')).toBe(true)
  })

  test('the public name of the gateway is refused, unless it is allowed', async () => {
    const front = { ownHost: 'pay.example', lookup: async () => ['1.1.1.1'], isOwnAddress }
    const own = createEgressGuard(front)
    expect(() => own.admit(new URL('https://PAY.example./docs'))).toThrow(refusal('own'))
    await expect(own.resolve('pay.example', 443)).rejects.toThrow(/is this gateway itself/)
    await expect(own.resolve('other.example', 443)).resolves.toHaveLength(1)
    const open = createEgressGuard({ ...front, allow: ['pay.example'] })
    expect(() => open.admit(new URL('https://pay.example/'))).not.toThrow()
  })
})
