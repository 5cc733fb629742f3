import { expect, test } from 'vitest'
import { requireKnownHost } from './hosts.ts'

const baseUrl = 'https://tollway.example'
const rebound = 'rebound.example'

test.each([
  { host: 'tollway.example' },
  { host: 'TOLLWAY.example:8443' },
  { host: 'localhost:4020' },
  { host: '[::1]:4020' },
  { host: '192.168.1.5:4020' },
  { host: '[2001:db8::5]:4020' },
  { host: 'tollway.example', origin: 'https://tollway.example' },
  { host: 'tollway.example', origin: 'http://localhost:6274' },
])('host $host with origin $origin may use MCP', ({ host, origin }) => {
  expect(() => requireKnownHost({ host, origin }, baseUrl)).not.toThrow()
})

test.each([
  { host: undefined },
  { host: rebound },
  { host: `localhost.${rebound}` },
  { host: `tollway.example@${rebound}` },
  { host: 'tollway.example', origin: `https://${rebound}` },
  { host: 'tollway.example', origin: `https://tollway.example.${rebound}` },
  { host: '192.168.1.5:4020', origin: 'http://192.168.1.5:4020' },
  { host: 'tollway.example', origin: 'null' },
  { host: 'tollway.example', origin: 'file://' },
])('host $host with origin $origin is refused', ({ host, origin }) => {
  expect(() => requireKnownHost({ host, origin }, baseUrl)).toThrow(
    expect.objectContaining({ code: 'forbidden' }),
  )
})
