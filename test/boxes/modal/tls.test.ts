// gRPC over TLS, at a server that speaks HTTP/1.1 too.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decode, encode } from '#catalog/ns_sandbox/lib/protobuf.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createGrpcAgent } from '#platform/http/grpc.ts'
import { createProviderHttp } from '#platform/http/provider-http.ts'
import { certificatesMissing, makeCertificate } from '#test/mail/certificate.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { startGrpcServer } from './grpc-server.ts'

const title = certificatesMissing ? `gRPC over TLS (${certificatesMissing})` : 'gRPC over TLS'

async function connect(trusts: 'its certificate' | 'no certificate') {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollway-grpc-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = makeCertificate(folder, 'localhost')
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)]
  const { promise: release, resolve: letGo } = Promise.withResolvers<void>()
  const answer = async (appName: unknown) => {
    if (appName === 'slow') await release
    return { appId: `ap-${String(appName)}` }
  }
  const proto = path.join(import.meta.dirname, 'modal.proto')
  const server = await startGrpcServer([proto], ({ message }) => answer(message.appName), {
    cert,
    key,
  })
  const http = createProviderHttp({
    providerId: 'test',
    userAgent: 'Tollway/test',
    clock,
    log,
    upstream: { baseUrl: server.url, wire: 'grpc' },
    agent: createGrpcAgent({ connect: trusts === 'its certificate' ? { ca: cert } : {} }),
  })
  onTestFinished(async () => {
    await http.close()
    await server.close()
  })
  const ask = async (appName: string) => {
    const path = '/modal.client.ModalClient/AppGetOrCreate'
    const bytes = encode({ appName: [1, 'string'] }, { appName })
    const { body } = await http.send({ method: 'POST', path, bytes, as: 'bytes' })
    return body.map((each: Buffer) => decode({ appId: [1, 'string'] }, each))
  }
  return { ask, letGo, server }
}

describe.skipIf(certificatesMissing !== undefined)(title, () => {
  test('is spoken over HTTP/2, and calls do not wait for each other', async () => {
    const { ask, letGo, server } = await connect('its certificate')
    const slow = [ask('slow'), ask('slow')]
    const names = Array.from({ length: 20 }, (_, place) => `app-${place}`)
    expect(await Promise.all(names.map(ask))).toEqual(
      names.map((name) => [{ appId: `ap-${name}` }]),
    )
    letGo()
    expect(await Promise.all(slow)).toEqual([[{ appId: 'ap-slow' }], [{ appId: 'ap-slow' }]])
    expect(server.strays).toEqual([])
  })

  test('a server whose certificate is not trusted is not sent a request', async () => {
    const { ask, server } = await connect('no certificate')
    await expect(ask('app')).rejects.toMatchObject({ code: 'upstream_error' })
    expect(server.calls).toEqual([])
  })
})
