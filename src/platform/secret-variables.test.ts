import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withSecretFiles } from './secret-variables.ts'

test('the file that a variable names becomes the secret, and other files do not', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'gas')
  await writeFile(file, '0xfeed\n')
  const given = { X402_GAS_KEY_FILE: file, LOG_FILE: file, ADMIN_TOKEN_FILE: '' }
  expect(withSecretFiles(given)).toEqual({ ...given, X402_GAS_KEY: '0xfeed' })
})

test('a file that cannot be read is named', () => {
  expect(() => withSecretFiles({ ADMIN_TOKEN_FILE: '/nowhere/token' })).toThrow(
    /ADMIN_TOKEN_FILE: the file \/nowhere\/token cannot be read/,
  )
})
