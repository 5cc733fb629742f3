// A person who works by keyboard keeps their place when what they have used goes away: the row that was removed, the
// question that was answered. The browser would give the focus to the whole page.

/** Where the focus was, and what was around it, from the inside out. */
let places: readonly Element[] = []

const headings = 'h1, h2, h3, h4'

/** What can take the focus nearest to where it was. */
function nearest(): HTMLElement | undefined {
  for (const place of places) {
    if (!(place instanceof HTMLElement) || !place.isConnected) continue
    if (place.matches('.table, main')) {
      const target = place.matches('main') ? place.querySelector<HTMLElement>('h1') : place
      if (target !== null) return target
    }
    const heading = place.querySelector<HTMLElement>(headings)
    if (heading !== null) return heading
  }
  return undefined
}

function keep() {
  const [last] = places
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (!isLost || last === undefined) return
  const isGone = !last.isConnected || last.matches(':disabled')
  if (!isGone) return
  const target = nearest()
  if (target === undefined) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

export function keepFocus(root: Element) {
  document.addEventListener('focusin', ({ target }) => {
    const around: Element[] = []
    for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement)
      around.push(at)
    places = around
  })
  // Only what a person leaves on purpose gives the focus to the page: a click beside everything.
  document.addEventListener('pointerdown', () => {
    places = []
  })
  new MutationObserver(keep).observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  })
}
