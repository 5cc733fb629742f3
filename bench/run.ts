// `npm run bench` lists the benchmarks. `npm run bench <name> [<arguments>]` runs one. `npm run bench <name> --against
// <commit> [--rounds <n>]` also runs it in a worktree of that commit, in turn with this tree, and prints the ratio of
// each figure.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { runAgainst } from './lib/against.ts'

const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => path.basename(file, '.ts'))
  .toSorted()
const [name] = process.argv.splice(2, 1)
const against = takeOption('--against')
const rounds = Number(takeOption('--rounds') ?? 2)

if (name === undefined || !names.includes(name)) await list()
else if (against === undefined) await import(path.join(import.meta.dirname, `${name}.ts`))
else await runAgainst(against, name, process.argv.slice(2), rounds)

async function list() {
  console.log('npm run bench <name> [<arguments>] [--against <commit> [--rounds <n>]]\n')
  for (const each of names) console.log(`${each.padEnd(12)}  ${await sentenceOf(each)}`)
}

/** The first sentence of the comment at the head of a benchmark. */
async function sentenceOf(each: string): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, `${each}.ts`), 'utf8')
  const head = /^(?:\/\/.*\n)+/.exec(text)?.[0] ?? ''
  const prose = head.replaceAll(/^\/\/ ?/gm, '').replaceAll('\n', ' ')
  return /^.*?[.:](?= |$)/.exec(prose)?.[0].replace(/:$/, '.') ?? ''
}

function takeOption(option: string): string | undefined {
  const place = process.argv.indexOf(option)
  return place === -1 ? undefined : process.argv.splice(place, 2)[1]
}
