// Documents for clients that read resources: the guide for callers, the list of actions, each action, and the files of
// the skill.
import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { type Catalog, describeAction, splitId } from '#core/catalog.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Guide } from '../../doors/guide.ts'
import { type SkillFile, skillResource } from './skill.ts'

const guideUri = 'tollway://guide/'
const actionUri = 'tollway://actions/'
const markdown = 'text/markdown'

export interface McpResources {
  readonly listed: readonly Resource[]
  readonly templates: readonly ResourceTemplateType[]
  /** Throws ResourceNotFoundError. */
  read(uri: string): ReadResourceResult
}

export function createResources({
  catalog,
  guide,
  keyless,
  skill,
  baseUrl,
}: {
  readonly catalog: Catalog
  readonly guide: Guide
  readonly baseUrl: () => string
  readonly keyless: Pick<Keyless, 'rails'>
  readonly skill: readonly SkillFile[]
}): McpResources {
  const documents = guide.documents
    .filter(({ name }) => /^(use|reference\/errors)\b/.test(name))
    .map(({ name, title }) => ({ uri: guideUri + name, name, title, mimeType: markdown }))
  const skillTexts = new Map(skill.map(({ uri, text }) => [uri, text]))

  /** Links between documents lead to resources, and others to pages of the gateway. */
  const linked = (text: string) =>
    text.replaceAll(/\]\(\/docs\/([^)#\s]+)/g, (_, name) =>
      guide.text(name) === undefined ? `](${baseUrl()}/docs/${name}` : `](${guideUri}${name}`,
    )

  function textAt(uri: string): { text: string; mimeType: string } | undefined {
    if (uri.startsWith(guideUri)) {
      const text = guide.text(uri.slice(guideUri.length))
      return text === undefined ? undefined : { text: linked(text), mimeType: markdown }
    }
    if (uri.startsWith(actionUri)) {
      const entry = catalog.find(...splitId(uri.slice(actionUri.length)))
      if (entry === undefined) return undefined
      const text = JSON.stringify(describeAction(entry, keyless.rails), null, 2)
      return { text, mimeType: 'application/json' }
    }
    const text = skillTexts.get(uri)
    return text === undefined ? undefined : { text, mimeType: markdown }
  }

  return {
    // The skill lists its other files itself.
    listed: [...documents, { ...skillResource, mimeType: markdown }],
    templates: [
      {
        uriTemplate: `${actionUri}{service}/{action}`,
        name: 'action',
        title: 'An action',
        description: 'Its schemas, price, example, errors and limits, as describe shows them.',
        mimeType: 'application/json',
      },
    ],
    read(uri) {
      const found = textAt(uri)
      if (found === undefined) throw new ResourceNotFoundError(uri)
      return { contents: [{ uri, ...found }] }
    },
  }
}
