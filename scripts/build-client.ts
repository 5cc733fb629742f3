// Writes the package that is published of the TypeScript client into clients/typescript/dist, or into the folder that
// is named. The workspace itself is its sources, so that the repository uses them without a build; Node strips no types
// below node_modules.
import { execFile } from 'node:child_process'
import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import workspaceJson from '../clients/typescript/package.json' with { type: 'json' }

await import('./client/make-types.ts')

const root = path.join(import.meta.dirname, '..')
const workspace = path.join(root, 'clients/typescript')
const dist = path.resolve(process.argv[2] ?? path.join(workspace, 'dist'))

await rm(dist, { recursive: true, force: true })
const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
await promisify(execFile)(process.execPath, [tsc, '-p', workspace, '--outDir', dist])
const { private: _, exports: __, ...manifest } = workspaceJson
const entry = { types: './client.d.ts', default: './client.js' }
await writeFile(
  path.join(dist, 'package.json'),
  JSON.stringify(
    { ...manifest, exports: { '.': entry, './package.json': './package.json' } },
    null,
    2,
  ),
)
await cp(path.join(workspace, 'README.md'), path.join(dist, 'README.md'))
await cp(path.join(root, 'LICENSE'), path.join(dist, 'LICENSE'))
