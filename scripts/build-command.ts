// Writes the package that is published of the command into clients/command/dist, or into the folder that is named.
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { callerVerbs } from '@tollway/command'
import workspaceJson from '../clients/command/package.json' with { type: 'json' }
import packageJson from '../package.json' with { type: 'json' }
import { stripTypes } from './strip-types.ts'

/** The package `tollway` owns the command `tollway`, so this one has another name, in its texts too. */
const command = 'tollway-command'
const verbs = ['help', 'completion', ...callerVerbs.map(({ name }) => name.split(' ')[0])].join('|')
const inTexts = [
  new RegExp(`\\btollway(?= (?:VERB|\\$\\{|(?:${verbs})\\b))`, 'g'),
  /(?<=complete -c |-F _tollway |#compdef |completions\/|\[')tollway\b/g,
]

const root = path.join(import.meta.dirname, '..')
const workspace = path.join(root, 'clients/command')
const dist = path.resolve(process.argv[2] ?? path.join(workspace, 'dist'))

await rm(dist, { recursive: true, force: true })
for await (const file of glob(['main.ts', 'src/**/*.ts'], { cwd: workspace })) {
  if (file.endsWith('.test.ts')) continue
  const built = stripTypes(await readFile(path.join(workspace, file), 'utf8'))
  const target = path.join(dist, file.replace(/\.ts$/, '.js'))
  await mkdir(path.dirname(target), { recursive: true })
  if (built !== undefined) await writeFile(target, renameCommand(built))
}
const { private: _, exports: __, ...manifest } = workspaceJson
const published = { ...manifest, bin: { [command]: './main.js' }, engines: packageJson.engines }
await writeFile(path.join(dist, 'package.json'), JSON.stringify(published, null, 2))
for (const [from, name] of [
  [workspace, 'README.md'],
  [root, 'LICENSE'],
] as const)
  await cp(path.join(from, name), path.join(dist, name))

function renameCommand(text: string): string {
  const renamed = inTexts.reduce((all, name) => all.replaceAll(name, command), text)
  // A shell may load the completions of both commands.
  return renamed.replaceAll(/\b_tollway\b/g, '_tollway_command')
}
