import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readBuiltConsole } from './built.ts'
import { addConsoleRoutes } from './console.ts'

/** A server with a console of these files, by name. */
async function open(files: Readonly<Record<string, string>>, fileStore?: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-console-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  const server = Fastify()
  addConsoleRoutes(server, { built: await readBuiltConsole(folder), fileStore })
  return (url: string) => server.inject({ method: 'GET', url })
}

const files = {
  'index.html': '<!doctype html><title>Console</title>',
  'assets/index-Ab12.js': 'start()',
  'icon.svg': '<svg/>',
}

test('the addresses of all pages answer the same document, which is never kept without asking', async () => {
  const get = await open(files)
  for (const url of ['/console', '/console/keys', '/console/catalog/tollway/onescrape']) {
    const { statusCode, headers, body } = await get(url)
    expect([statusCode, body]).toEqual([200, files['index.html']])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
  }
})

test('files with a hash in their name are kept for ever, and others for an hour', async () => {
  const get = await open(files)
  const hashed = await get('/console/assets/index-Ab12.js')
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(hashed.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect((await get('/console/icon.svg')).headers['cache-control']).toBe('public, max-age=3600')
})

test('a file of an earlier build is missing, instead of being answered with the document', async () => {
  const get = await open(files)
  for (const url of [
    '/console/assets/index-Old.js',
    '/console/../package.json',
    '/console/index.html',
  ])
    expect((await get(url)).statusCode).not.toBe(200)
})

test('no other site frames the console, and it runs no script but its own files', async () => {
  const get = await open(files, 'https://files.example/bucket/')
  for (const url of [
    '/console',
    '/console/keys',
    '/console/assets/index-Ab12.js',
    '/console/icon.svg',
  ]) {
    const { headers } = await get(url)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("img-src 'self' blob: data: https://files.example/bucket/;")
    expect(policy).toContain("media-src 'self' blob: https://files.example/bucket/;")
    expect(policy).toContain("connect-src 'self' https://files.example/bucket/;")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('without a bucket nothing is loaded from elsewhere', async () => {
  const { headers } = await (await open(files))('/console')
  expect(headers['content-security-policy']).not.toMatch(/https?:/)
  expect(headers['content-security-policy']).toContain("img-src 'self' blob: data:;")
})

test('a gateway without a built console says what to do', async () => {
  const get = await open({})
  const { statusCode, body } = await get('/console')
  expect(statusCode).toBe(503)
  expect(body).toContain('npm ci')
})
