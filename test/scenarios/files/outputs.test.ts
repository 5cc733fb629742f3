// Files that actions store: they belong to calls that were paid for, and their room is kept while the call runs.
import { expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineProvider } from '#core/provider.ts'
import { shareGateway, type TestAccount } from '#test/harness.ts'

const output = { name: 'film', filename: 'film.mp4', mediaType: 'video/mp4' }
const content = new Uint8Array(100)

/** Holds a call between its reservation and its end, until the test lets it go. */
const gate = { reserved: () => {}, open: Promise.resolve() }

const provider = defineProvider({
  id: 'studio',
  title: 'Stores films',
  actions: [
    defineAction('shoot', {
      summary: 'Store a film, and fail if asked to.',
      input: z.strictObject({ fails: z.boolean(), roomBytes: z.int().optional() }),
      output: z.looseObject({ file_id: z.uuid() }),
      price: { cents: 3 },
      example: { input: { fails: false }, cents: 3 },
      async run({ input: { fails, roomBytes }, files }) {
        if (roomBytes !== undefined) await files.reserve({ ...output, bytes: roomBytes })
        gate.reserved()
        await gate.open
        const { fileId } = await files.save({ ...output, content })
        if (fails) throw fail('upstream_error')
        return { file_id: fileId }
      },
    }),
  ],
})
const gateway = shareGateway({ providers: [provider] })

const shoot = (account: TestAccount, body: object) => account.call('studio/shoot', body)
const stored = async (account: TestAccount) => (await account.call('files/list', {})).body.data

test('what a failed call has stored is removed, and its room is free at once', async () => {
  const account = await gateway().account(10)
  const { status, body } = await shoot(account, { fails: true })
  expect([status, body.error]).toEqual([500, 'upstream_error'])
  expect(await stored(account)).toMatchObject({ files: [], used_bytes: 0 })
})

test('what a paid call has stored stays', async () => {
  const account = await gateway().account(10)
  await shoot(account, { fails: true })
  const { body } = await shoot(account, { fails: false })
  expect(body.charged_cents).toBe(3)
  expect(await stored(account)).toMatchObject({
    files: [{ file_id: body.data.file_id, size: content.length }],
    used_bytes: content.length,
  })
})

test.each([
  ['a smaller output gives back the rest', 500],
  ['a larger output takes more', 10],
])('an output fills the room that was reserved for it: %s', async (_what, roomBytes) => {
  const account = await gateway().account(10)
  const [open, reserved] = closeGate()
  const call = shoot(account, { fails: false, roomBytes })
  await reserved
  const { files, used_bytes } = await stored(account)
  expect(used_bytes).toBe(roomBytes)
  open()
  const { body } = await call
  expect(body.data.file_id).toBe(files[0].file_id)
  expect(await stored(account)).toMatchObject({ used_bytes: content.length })
})

test('the room of an output cannot be deleted while its call runs', async () => {
  const account = await gateway().account(10)
  const [open, reserved] = closeGate()
  const call = shoot(account, { fails: false, roomBytes: 500 })
  await reserved
  const [{ file_id }] = (await stored(account)).files
  const refused = await account.call('files/delete', { file_id })
  expect([refused.status, refused.body.error]).toEqual([409, 'file_pending'])
  open()
  expect((await call).status).toBe(200)
  expect((await account.call('files/delete', { file_id })).body.data.freed_bytes).toBe(100)
})

test('a failed call gives back the room that it reserved', async () => {
  const account = await gateway().account(10)
  const { status } = await shoot(account, { fails: true, roomBytes: 500 })
  expect(status).toBe(500)
  expect(await stored(account)).toMatchObject({ files: [], used_bytes: 0 })
})

function closeGate(): [() => void, Promise<void>] {
  let open = () => {}
  gate.open = new Promise<void>((resolve) => {
    open = resolve
  })
  const reserved = new Promise<void>((resolve) => {
    gate.reserved = resolve
  })
  return [open, reserved]
}
