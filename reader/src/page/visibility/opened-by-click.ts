// What a click shows: the panels of tabs and folds. A person can read them, so they count as seen.
import type { MarkupTree } from '../markup-tree.ts'
import type { Attributes } from '../scan.ts'

const toggles = /^(?:tab|pill|list|collapse)$/
/** A panel with such a role or name offers no reading: it asks, or leads elsewhere. */
const notReadRole = /^(?:dialog|alertdialog|menu|menubar|listbox|tooltip|navigation|search)$/
const notReadName =
  /(?:^|[\s_-])(?:modal|dialog|popup|popover|offcanvas|drawer|lightbox|menu|submenu|dropdown|nav|navbar|navigation|tooltip|search)(?:$|[\s_-])/i

/** Tells of an element whether a tab or a button of the page shows it. */
export function findOpenable(page: MarkupTree): (node: number) => boolean {
  let controls: Controls | undefined
  return (node) => {
    const own = page.attributes[node] as Attributes
    const id = own.get('id')
    const label = own.get('aria-labelledby')
    const role = own.get('role') ?? ''
    if (id === undefined && label === undefined) return false
    if (page.names[node] === 'nav' || page.names[node] === 'dialog') return false
    if (notReadRole.test(role) || notReadName.test(`${own.get('class') ?? ''} ${id ?? ''}`))
      return false
    controls ??= readControls(page)
    if (id !== undefined && controls.targets.has(id)) return true
    return role === 'tabpanel' && label !== undefined && controls.tabs.has(label)
  }
}

interface Controls {
  /** The ids of what tabs and buttons show. */
  readonly targets: ReadonlySet<string>
  /** The ids of tabs. */
  readonly tabs: ReadonlySet<string>
}

function readControls({ names, attributes }: MarkupTree): Controls {
  const targets = new Set<string>()
  const tabs = new Set<string>()
  attributes.forEach((own, node) => {
    if (own.size === 0) return
    const isTab = own.get('role') === 'tab'
    const toggle = own.get('data-bs-toggle') ?? own.get('data-toggle') ?? ''
    const id = own.get('id')
    if (isTab && id !== undefined) tabs.add(id)
    // A button that opens a menu or a dialog says so.
    const isFold = own.has('aria-expanded') && !own.has('aria-haspopup')
    const isToggle = isTab || toggles.test(toggle)
    if (isToggle || isFold) add(own.get('aria-controls'))
    if (!isToggle) return
    for (const key of ['data-bs-target', 'data-target']) addFragment(own.get(key))
    if (names[node] === 'a') addFragment(own.get('href'))
  })
  return { targets, tabs }

  function add(ids: string | undefined): void {
    for (const id of ids?.split(/\s+/, idsMax) ?? []) if (id !== '') targets.add(id)
  }

  function addFragment(written: string | undefined): void {
    if (written?.startsWith('#')) add(written.slice(1))
  }
}

/** That one control shows. */
const idsMax = 20
