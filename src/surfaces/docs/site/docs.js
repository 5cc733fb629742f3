// What the pages of the documents do beyond showing: search, copy buttons and tabs. Without it they still read.
import { openSearch } from './search.js'

const field = document.querySelector('.search input')
const form = field.form
const list = document.createElement('ul')
list.className = 'found'
list.id = 'found'
list.hidden = true
list.setAttribute('role', 'listbox')
list.setAttribute('aria-label', 'Documents found')
const count = document.createElement('span')
count.className = 'unseen'
count.setAttribute('role', 'status')
form.append(list, count)
for (const [name, value] of [
  ['role', 'combobox'],
  ['aria-expanded', 'false'],
  ['aria-controls', 'found'],
  ['aria-autocomplete', 'list'],
])
  field.setAttribute(name, value)

let opening
let chosen = -1

/** The index is read once, before the first search. */
function open() {
  opening ??= fetch('/docs/site/index.json')
    .then((reply) => reply.json())
    .then(openSearch)
    .catch(() => {
      opening = undefined
    })
  return opening
}

function close() {
  list.hidden = true
  field.setAttribute('aria-expanded', 'false')
  field.removeAttribute('aria-activedescendant')
  chosen = -1
}

function choose(at) {
  const items = [...list.children]
  chosen = items.length === 0 ? -1 : (at + items.length) % items.length
  items.forEach((item, place) => {
    item.setAttribute('aria-selected', String(place === chosen))
  })
  if (chosen < 0) return
  items[chosen].scrollIntoView({ block: 'nearest' })
  field.setAttribute('aria-activedescendant', items[chosen].id)
}

function itemOf({ address, title, heading, text }, at) {
  const item = document.createElement('li')
  item.id = `found-${at}`
  item.dataset.address = address
  item.setAttribute('role', 'option')
  item.setAttribute('aria-selected', 'false')
  const name = document.createElement('strong')
  name.textContent = heading === '' ? title : `${title}: ${heading}`
  const words = document.createElement('small')
  words.textContent = text
  item.append(name, words)
  item.addEventListener('click', () => location.assign(address))
  return item
}

async function show() {
  const question = field.value.trim()
  if (question === '') return close()
  const search = await open()
  if (search === undefined || field.value.trim() !== question) return
  const found = search(question)
  list.replaceChildren(...found.map(itemOf))
  chosen = -1
  list.hidden = found.length === 0
  field.setAttribute('aria-expanded', String(!list.hidden))
  count.textContent = found.length === 0 ? 'Nothing found.' : `${found.length} documents found.`
}

field.addEventListener('focus', open)
field.addEventListener('input', show)
field.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close()
  if (list.hidden) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(event.key === 'ArrowDown' ? chosen + 1 : Math.max(chosen, 0) - 1)
  }
  if (event.key === 'Enter' && chosen >= 0) {
    event.preventDefault()
    location.assign(list.children[chosen].dataset.address)
  }
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) close()
})
list.addEventListener('mousedown', (event) => event.preventDefault())
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select')
  const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
  if (!isPalette && (event.key !== '/' || isTyping)) return
  event.preventDefault()
  field.focus()
})

const copiedMs = 2_000
// A page that is not served with TLS, nor from this machine, has no clipboard.
if (navigator.clipboard)
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.closest('.code').querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, copiedMs)
    })
  }

const rememberedTab = 'tollway:tab'
function remembered() {
  try {
    return localStorage.getItem(rememberedTab)
  } catch {
    return null
  }
}

for (const [group, tabs] of document.querySelectorAll('.tabs').entries()) {
  const panels = [...tabs.children]
  const bar = document.createElement('div')
  bar.className = 'tablist'
  bar.setAttribute('role', 'tablist')
  bar.setAttribute('aria-label', 'Ways to call')
  const buttons = panels.map((panel, at) => {
    const heading = panel.querySelector('h3')
    const button = document.createElement('button')
    button.type = 'button'
    button.id = `tab-${group}-${at}`
    button.textContent = heading.firstChild.textContent.trim()
    button.setAttribute('role', 'tab')
    heading.hidden = true
    panel.id = `panel-${group}-${at}`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', button.id)
    button.setAttribute('aria-controls', panel.id)
    return button
  })
  const select = (chosenTab) => {
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', String(at === chosenTab))
      button.tabIndex = at === chosenTab ? 0 : -1
      panels[at].hidden = at !== chosenTab
    })
  }
  buttons.forEach((button, at) => {
    button.addEventListener('click', () => {
      select(at)
      try {
        localStorage.setItem(rememberedTab, button.textContent)
      } catch {
        // A browser may keep nothing: the next page begins with its first tab.
      }
    })
    button.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
      if (step === undefined) return
      const next = (at + step + buttons.length) % buttons.length
      buttons[next].focus()
      buttons[next].click()
    })
  })
  const known = buttons.findIndex(({ textContent }) => textContent === remembered())
  const named = panels.findIndex((panel) => location.hash === `#${panel.querySelector('h3').id}`)
  select(Math.max(named, known, 0))
  bar.append(...buttons)
  tabs.prepend(bar)
}
