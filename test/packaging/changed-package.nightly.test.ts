// `npm ci` with a lock file as this repository writes it: without addresses, and with a hash for each package.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { emptyFolder, npm } from './packed.ts'

const name = 'sold'
const version = '1.0.0'

test('a package of which one byte has changed is refused, although the registry names its new hash', async () => {
  const tarball = await pack()
  const registry = await openRegistry(tarball)
  const folder = await emptyFolder(onTestFinished)
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [name]: version } }),
  )
  const options = async () => [
    ...['--registry', registry.url, '--cache', await emptyFolder(onTestFinished)],
    ...['--omit-lockfile-registry-resolved', '--no-audit', '--no-update-notifier'],
  ]
  await npm(folder, 'install', '--package-lock-only', ...(await options()))
  expect(await readFile(path.join(folder, 'package-lock.json'), 'utf8')).toContain(
    `"integrity": "${hashOf(tarball)}"`,
  )

  await npm(folder, 'ci', ...(await options()))
  expect(await readFile(path.join(folder, 'node_modules', name, 'index.js'), 'utf8')).toBe(source)

  registry.serve(changeOneByte(tarball))
  await expect(npm(folder, 'ci', ...(await options()))).rejects.toThrow('EINTEGRITY')
})

const source = `export const price = 1\n`

async function pack(): Promise<Buffer> {
  const folder = await emptyFolder(onTestFinished)
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name, version }))
  await writeFile(path.join(folder, 'index.js'), source)
  await npm(folder, 'pack')
  return await readFile(path.join(folder, `${name}-${version}.tgz`))
}

/** The price in the program, 1, becomes 2. */
function changeOneByte(tarball: Buffer): Buffer {
  const files = gunzipSync(tarball)
  const at = files.indexOf(source) + source.indexOf('1')
  files.writeUInt8('2'.charCodeAt(0), at)
  return gzipSync(files)
}

const hashOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** Of one package. It names the hash of what it serves. */
async function openRegistry(first: Buffer) {
  let tarball = first
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(tarball)
    const dist = { tarball: `${url}/${name}.tgz`, integrity: hashOf(tarball) }
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { name, version, dist } },
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}`
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url,
    serve(changed: Buffer) {
      tarball = changed
    },
  }
}
