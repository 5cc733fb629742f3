// Plants a bug in a file as it is loaded. The file itself stays as it is.
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bugs } from './bugs.ts'
import type { PlantedBug } from './planted-bug.ts'

const root = path.join(import.meta.dirname, '../../../..')

export function findBug(name: string): PlantedBug {
  const bug = bugs.find((each) => each.name === name)
  if (bug === undefined) throw new Error(`There is no bug with the name "${name}".`)
  return bug
}

/** The text with the bug. Throws unless the place is found once. */
export function withBug({ name, find, replace }: PlantedBug, text: string): string {
  if (text.split(find).length !== 2) throw new Error(`"${name}" does not fit its file once.`)
  return text.replace(find, () => replace)
}

export function plantBug(name: string): void {
  const bug = findBug(name)
  const planted = pathToFileURL(path.join(root, bug.file)).href
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== planted) return loaded
      return { ...loaded, source: withBug(bug, String(loaded.source)) }
    },
  })
}
