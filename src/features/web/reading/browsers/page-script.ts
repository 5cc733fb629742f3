// What runs in a page to take it: in a world that the page's scripts cannot reach. A page can still shadow properties,
// by elements that are named like them, so properties of nodes are read by the functions of their prototypes.

const preamble = `
  const method = (owner, name) => {
    const own = owner.prototype[name]
    return (self, ...args) => Reflect.apply(own, self, args)
  }
  const getter = (owner, name) => {
    const { get } = Object.getOwnPropertyDescriptor(owner.prototype, name)
    return (self) => Reflect.apply(get, self, [])
  }
  const setter = (owner, name) => {
    const { set } = Object.getOwnPropertyDescriptor(owner.prototype, name)
    return (self, value) => Reflect.apply(set, self, [value])
  }
  const nameOf = getter(Element, 'localName')
  const parentOf = getter(Node, 'parentNode')
  const isVisible = method(Element, 'checkVisibility')
  const boxOf = method(Element, 'getBoundingClientRect')
  const root = getter(Document, 'documentElement')(document)
`

/** Many and deep enough for honest pages. Others are taken without the rest of their components and tests. */
const shadowRootsMax = 2_000
const nodesMax = 200_000
/** Tabs, each with its panel. */
const panelsMax = 100

/**
 * Lists the texts and pictures that a person cannot see, by computed style and geometry: not displayed, invisible,
 * transparent, of no size, clipped away or off the screen. What a person can open (details, tabs) counts as visible,
 * and so does a page that is hidden as a whole until a script shows it.
 */
const findHidden = `
  const attributeOf = method(Element, 'getAttribute')
  const tabs = '[role="tab"], [data-bs-toggle="tab"], [data-toggle="tab"], [data-bs-toggle="pill"], [data-toggle="pill"]'
  const panels = [...method(Document, 'querySelectorAll')(document, tabs)].slice(0, ${panelsMax}).flatMap((tab) =>
    ['aria-controls', 'data-bs-target', 'data-target', 'href'].flatMap((name) => {
      const target = attributeOf(tab, name) ?? ''
      if (name === 'aria-controls') return target === '' ? [] : ['#' + CSS.escape(target)]
      return /^#./.test(target) ? ['#' + CSS.escape(target.slice(1))] : []
    }))
  const styles = new CSSStyleSheet()
  styles.replaceSync(\`
    \${panels.join(', ') || 'tab-panel'} { display: block !important; opacity: 1 !important; visibility: visible !important }
    html, body { display: block !important; opacity: 1 !important; visibility: visible !important }
    details::details-content { content-visibility: visible !important; display: block !important }
    [hidden="until-found" i] { content-visibility: visible !important }\`)
  const sheetsOf = getter(Document, 'adoptedStyleSheets')
  const setSheets = setter(Document, 'adoptedStyleSheets')
  const shadowRootOf = getter(Element, 'shadowRoot')
  const dataOf = getter(CharacterData, 'data')
  const closest = method(Element, 'closest')
  const shadowRoots = []
  const silent = new Set('script style noscript template title textarea option xmp iframe'.split(' '))
  const isRightToLeft = getComputedStyle(root).direction === 'rtl'
  const hiddenByBox = new Map()

  const slotOf = getter(Element, 'assignedSlot')
  const flatParent = (element) => {
    const parent = slotOf(element) ?? parentOf(element)
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null
  }
  const isBoxHiding = (element) => {
    const name = nameOf(element)
    if (name === 'html' || name === 'body') return false
    const style = getComputedStyle(element)
    const { overflowX, overflowY, position, clip, clipPath, display } = style
    if (/^(?:inset\\((?:[5-9]\\d|100)%|circle\\(0)/.test(clipPath)) return true
    if (display === 'inline' || display === 'contents') return false
    const isClipping = /hidden|clip/.test(overflowX + overflowY)
    const isPlaced = position === 'absolute' || position === 'fixed'
    if (!isClipping && !isPlaced) return false
    const { width, height, left } = boxOf(element)
    if (isClipping && (width <= 1 || height <= 1)) return true
    if (!isPlaced) return false
    const [top, right, bottom, start] = (/^rect\\((.*)\\)$/.exec(clip)?.[1] ?? '').split(/[ ,]+/).map(parseFloat)
    return right - start <= 1 || bottom - top <= 1 || left + scrollX >= innerWidth
  }
  const isHiddenByBox = (element) => {
    const chain = []
    let each = element
    while (each !== null && !hiddenByBox.has(each)) {
      chain.push(each)
      each = flatParent(each)
    }
    let hidden = each === null ? false : hiddenByBox.get(each)
    for (const element of chain.reverse()) {
      hidden = hidden || isBoxHiding(element)
      hiddenByBox.set(element, hidden)
    }
    return hidden
  }
  const isOffScreen = (element, { textIndent }) => {
    if (parseFloat(textIndent) <= -innerWidth / 2) return true
    const { width, height, right, bottom } = boxOf(element)
    if (width === 0 && height === 0) return false
    return bottom + scrollY <= 0 || (!isRightToLeft && right + scrollX <= 0)
  }
  const full = { opacityProperty: true, visibilityProperty: true }
  const testText = (parent) => {
    if (!isVisible(parent, full)) return true
    if (closest(parent, 'math')) return false
    const style = getComputedStyle(parent)
    return parseFloat(style.fontSize) < 2 || isHiddenByBox(parent) || isOffScreen(parent, style)
  }
  const tested = new Map()
  const isTextHidden = (parent) => {
    if (!tested.has(parent)) tested.set(parent, testText(parent))
    return tested.get(parent)
  }
  const createWalker = method(Document, 'createTreeWalker')
  const found = { texts: [], images: [] }
  const search = () => {
    const roots = [document]
    let nodes = 0
    for (const start of roots) {
      const walker = createWalker(document, start, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null && nodes < ${nodesMax}; node = walker.nextNode()) {
        nodes += 1
        if (node instanceof Element) {
          const shadow = shadowRootOf(node)
          if (shadow !== null && roots.length <= ${shadowRootsMax}) {
            roots.push(shadow)
            shadowRoots.push(shadow)
          }
          if (nameOf(node) === 'img' && !isVisible(node, full)) found.images.push(node)
          continue
        }
        const above = parentOf(node)
        const parent = above instanceof ShadowRoot ? above.host : above
        if (!(parent instanceof Element) || silent.has(nameOf(parent)) || dataOf(node).trim() === '') continue
        if (isTextHidden(parent)) found.texts.push(node)
      }
    }
  }
  const before = sheetsOf(document)
  setSheets(document, [...before, styles])
  try {
    search()
  } finally {
    setSheets(document, [...before].filter((sheet) => sheet !== styles))
  }
`

/** Whether there is transparent text: it may be shown as the page is scrolled. */
export const hasTransparentText = `(() => {${preamble}
  const walker = method(Document, 'createTreeWalker')(document, root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(), nodes = 0; node !== null && nodes < ${nodesMax}; node = walker.nextNode(), nodes += 1) {
    const parent = parentOf(node)
    if (parent instanceof Element && !isVisible(parent, { opacityProperty: true }) && isVisible(parent)) return true
  }
  return false
})()`

export const heightOfPage = `(() => {${preamble}
  return getter(Element, 'scrollHeight')(root)
})()`

/**
 * The HTML of what a person sees, up to a length, with the contents of components and without the rest of pictures that
 * it holds. Hidden texts are emptied first. That is not seen by the page: no observer runs before the HTML is written.
 */
export const takeHtml = (charactersMax: number) => `(() => {${preamble}${findHidden}
  const setData = setter(CharacterData, 'data')
  const removeAttribute = method(Element, 'removeAttribute')
  for (const text of found.texts) setData(text, '')
  for (const image of found.images) for (const name of ['alt', 'title']) removeAttribute(image, name)
  const doctype = getter(Document, 'doctype')(document)
  const written =
    (doctype ? new XMLSerializer().serializeToString(doctype) : '') +
    (root === null ? '' : shadowRoots.length === 0 ? getter(Element, 'outerHTML')(root) : method(Element, 'getHTML')(root, { shadowRoots }))
  const html = written.replace(/(;base64,[A-Za-z0-9+/=]{2000})[A-Za-z0-9+/=]+/g, '$1')
  return { html: html.slice(0, ${charactersMax}), isCut: html.length > ${charactersMax} }
})()`

/** Called on the element of a frame: puts a comment where its content belongs. False where the frame is not seen. */
export const markFrame = `function (mark) {${preamble}
  const { width, height } = boxOf(this)
  const isFrame = nameOf(this) === 'frame'
  if (!isFrame && (!isVisible(this, { opacityProperty: true, visibilityProperty: true }) || width <= 1 || height <= 1)) return false
  let place = this
  // A frameset holds nothing but frames.
  while (isFrame && parentOf(place) instanceof HTMLFrameSetElement) place = parentOf(place)
  method(Element, 'before')(place, document.createComment(mark))
  return true
}`
