// Runs after `npm install` in a clone, in plain JavaScript that any Node can read. It removes what no program here
// reads, a fifth of the install: the headers of Node, with which add-ons are compiled, and what packages keep of their
// sources, which are maps and TypeScript. Node runs no TypeScript below node_modules, and the compiler reads its
// declarations.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ofSources = /\.(?:[cm]?[jt]s|css)\.map$|(?<!\.d)\.[cm]?ts$/
const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

try {
  trim(modules)
} catch (error) {
  console.error(`node_modules takes more room than it needs: ${error.message}`)
}

function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      const isHeaders = entry.name === 'include' && /node_modules.node-[\w-]+$/.test(folder)
      if (isHeaders) rmSync(place, { recursive: true })
      else trim(place)
    } else if (ofSources.test(entry.name)) rmSync(place)
  }
}
