// What Word, Excel and PowerPoint files have in common: parts with relations to each other, and properties.
import path from 'node:path'
import type { DocumentMetadata } from '../document.ts'
import { unreadable } from '../failure.ts'
import type { Archive } from './archive.ts'
import { childOf, elementsOf, parseXml, textOf, type XmlElement } from './xml.ts'

export interface Relation {
  /** The last word of its type: `slide`, `hyperlink`. */
  readonly kind: string
  /** The name of a part, or an address if it is external. */
  readonly target: string
  readonly isExternal: boolean
}

export async function readPart(archive: Archive, name: string): Promise<XmlElement | undefined> {
  const bytes = await archive.read(name)
  return bytes === undefined ? undefined : parseXml(bytes)
}

export async function needPart(archive: Archive, name: string): Promise<XmlElement> {
  const part = await readPart(archive, name)
  if (part === undefined) throw unreadable(`The document is damaged: its part ${name} is missing.`)
  return part
}

/** The relations of a part, by id. */
export async function readRelations(
  archive: Archive,
  partName: string,
): Promise<ReadonlyMap<string, Relation>> {
  const folder = path.posix.dirname(partName)
  const file = path.posix.join(folder, '_rels', `${path.posix.basename(partName)}.rels`)
  const relations = new Map<string, Relation>()
  for (const { attributes } of elementsOf(await readPart(archive, file), 'Relationship')) {
    const { Id: id, Type: type = '', Target: target = '' } = attributes
    const isExternal = attributes.TargetMode === 'External'
    if (id === undefined) continue
    relations.set(id, {
      kind: type.slice(type.lastIndexOf('/') + 1),
      target: isExternal ? target : path.posix.resolve('/', folder, target).slice(1),
      isExternal,
    })
  }
  return relations
}

/** The part that the whole file is about. Producers name it differently. */
export async function mainPart(archive: Archive): Promise<string> {
  const relations = [...(await readRelations(archive, '')).values()]
  const main = relations.find(({ kind }) => kind === 'officeDocument')
  if (main === undefined) throw unreadable('The file is not a Word, Excel or PowerPoint document.')
  return main.target
}

/** The id of a relation that an element names, as `r:id` or `r:embed`. */
export function relationId({ attributes }: XmlElement): string | undefined {
  const name = Object.keys(attributes).find((each) => /:(?:id|embed)$/.test(each))
  return name === undefined ? undefined : attributes[name]
}

export async function readProperties(archive: Archive): Promise<DocumentMetadata> {
  const core = await readPart(archive, 'docProps/core.xml')
  const property = (name: string) => textOf(childOf(core, name)).trim() || null
  return {
    title: property('title'),
    author: property('creator'),
    created: property('created'),
    modified: property('modified'),
    language: property('language'),
  }
}
