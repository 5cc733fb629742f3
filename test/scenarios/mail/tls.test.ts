// STARTTLS with the operator's certificate.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from 'node:tls'
import { createTransport } from 'nodemailer'
import { afterAll, describe, expect, test } from 'vitest'
import { certificatesMissing, makeCertificate } from '#test/mail/certificate.ts'
import { createInbox, shareMailGateway } from '#test/mail/gateway.ts'

const title = certificatesMissing ? `mail over TLS (${certificatesMissing})` : 'mail over TLS'

describe.skipIf(certificatesMissing !== undefined)(title, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollway-mail-tls-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const gateway = shareMailGateway({
    env: () => {
      const { cert, key } = makeCertificate(folder, 'mx.agents.example')
      return { MAIL_TLS_CERT_PATH: cert, MAIL_TLS_KEY_PATH: key }
    },
  })

  test('mail comes over TLS when the sender requires it', async () => {
    const account = await gateway().account(500)
    const inbox_id = await createInbox(account)
    const transport = createTransport({
      host: '127.0.0.1',
      port: gateway().mailPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    })
    const mail = { from: 'bob@example.org', to: inbox_id, subject: 'Sealed', text: 'Hi' }
    await transport.sendMail(mail)
    const { messages } = (await account.call('ns_mail/list-messages', { inbox_id })).body.data
    expect(messages).toMatchObject([{ subject: 'Sealed' }])
  })

  test('a command that was sent in clear text behind STARTTLS is not carried out', async () => {
    const socket = net.connect(gateway().mailPort, '127.0.0.1')
    const said = (text: string) =>
      new Promise<void>((resolve) => {
        const listen = (data: Buffer) => {
          if (!String(data).includes(text)) return
          socket.off('data', listen)
          resolve()
        }
        socket.on('data', listen)
      })
    await said('220 ')
    socket.write('EHLO example.org\r\n')
    await said('STARTTLS')
    const ready = said('220 ')
    socket.write('STARTTLS\r\nMAIL FROM:<eve@example.net>\r\n')
    await ready
    const sealed = connect({ socket, rejectUnauthorized: false })
    await once(sealed, 'secureConnect')
    sealed.write('NOOP\r\n')
    const [reply] = await once(sealed, 'data')
    // The reply to NOOP. That to MAIL FROM is "Accepted".
    expect(String(reply)).toBe('250 OK\r\n')
    sealed.destroy()
  })

  test('a client that speaks TLS at once, without STARTTLS, is not understood', async () => {
    const socket = connect({ host: '127.0.0.1', port: gateway().mailPort })
    await expect(new Promise((_resolve, reject) => socket.once('error', reject))).rejects.toThrow()
    socket.destroy()
  })
})
