// Builds the console into console/dist, which the gateway serves at /console.
import { glob, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const root = import.meta.dirname
const dist = path.join(root, 'dist')
/** What the build depends on, relative to the repository. */
export const consoleSources = [
  'console/{src,public}/**/*',
  'console/{index.html,build.ts}',
  'clients/typescript/src/**/*',
]

/** Builds the console if one of its sources is newer than the last build. */
export async function refreshConsole(): Promise<void> {
  const builtMs = await modifiedMs(path.join(dist, 'index.html'))
  if (builtMs !== undefined && (await newestSourceMs()) <= builtMs) return
  // Gateways that start side by side each build a folder of their own.
  const folder = path.join(root, `.cache/${process.pid}`)
  await buildConsole(folder)
  await rm(dist, { recursive: true, force: true })
  await rename(folder, dist).catch(() => rm(folder, { recursive: true, force: true }))
}

/** Replaces what is in the folder. */
export async function buildConsole(outDir: string): Promise<void> {
  // Only a build needs it, and a start of the gateway seldom builds.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root,
    base: '/console/',
    logLevel: 'error',
    // A process that runs tests would otherwise build what is larger and names the files of this machine.
    oxc: { jsx: { development: false } },
    plugins: [lexerOnly],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      // The policy of the page allows no inline script.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          comments: false,
          // What several pages are made of is a few files: small ones cost more than what a page does not use of them.
          codeSplitting: {
            groups: [
              { name: 'parts', test: isOfFirstPage },
              { name: 'controls', test: /src\/(?:parts|format)\/|src\/(?:addressed|filled)/ },
              { name: 'keys', test: /src\/(?:keys\/(?!key-names)|account\/(?:keys|apps)-page)/ },
              { name: 'results', test: /src\/results\// },
              {
                name: 'economics',
                test: /src\/operator\/(?:costs|margins|price-groups|prices)-page/,
              },
              { name: 'payments', test: /src\/operator\/(?:purchases|rails|sessions)-page/ },
              {
                name: 'offers',
                test: /src\/(?:catalog\/(?:health|mode-tag|catalog\.ts)|operator\/(?:left-out-table|sales-below-cost))/,
              },
            ],
          },
        },
      },
    },
  })
}

/**
 * Markdown is shown from its tokens, so the lexer of marked is all that is needed of it. The package also makes an
 * instance of its parser where it is loaded, which would keep the rest of it.
 */
const lexerOnly = {
  name: 'lexer-only',
  transform(code: string, id: string) {
    if (!id.endsWith('/marked.esm.js')) return undefined
    const [, lexer, name] =
      /^(.*?);var \w+=new \w+;.*export\{[^}]*?(\w+) as Lexer\b/s.exec(code) ?? []
    if (name === undefined) throw new Error('This version of marked has another form.')
    return `${lexer};export{${name} as Lexer}`
  },
}

const isOfFirstPage =
  /src\/(?:parts\/(?:amount|copy|expiring-credit|foreign|notices|page\.|role|route-roles|table|time)|format\/(?:count|money|time)|(?:gateway|load|router|session)\.ts|pages\/usage|keys\/key-names)/

async function newestSourceMs(): Promise<number> {
  let newestMs = 0
  for await (const file of glob(consoleSources, { cwd: path.join(root, '..') }))
    newestMs = Math.max(newestMs, (await modifiedMs(path.join(root, '..', file))) ?? 0)
  return newestMs
}

const modifiedMs = (file: string) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
