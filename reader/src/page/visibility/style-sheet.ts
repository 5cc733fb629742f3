// The rules of a page's own style sheets that hide or show text, as far as an element alone decides whether they match:
// type, classes, id and attributes. Rules that look further only tell that a text can be made to show.
import { decodeHTML } from 'entities'
import type { MarkupHead } from '../markup-tree.ts'
import type { Attributes } from '../scan.ts'
import { type Aspect, readStyleEffects, type StyleEffect } from './style-effects.ts'

export interface StyleSheet {
  /** What the rules that match do, each with its weight; of the heaviest, the last counts. */
  effectsOn(name: string, attributes: Attributes): readonly WeightedEffect[]
}

export interface WeightedEffect extends StyleEffect {
  readonly weight: number
}

interface Rule {
  readonly selector: Selector
  readonly effects: readonly WeightedEffect[]
}

interface Selector {
  readonly type: string | undefined
  readonly ids: readonly string[]
  readonly classes: readonly string[]
  readonly attributes: readonly AttributeTest[]
}

interface AttributeTest {
  readonly name: string
  readonly operator: string
  readonly value: string
}

const rulesMax = 20_000
/** Rules that begin with the same class, id, attribute or type. */
const rulesOfNameMax = 20
const selectorsMax = 200
const selectorCharactersMax = 500
const classesMax = 50
/** The window that media conditions are asked about. */
const windowWidthPx = 1280
const pxPerEm = 16

export function readStyleSheet(
  { styles, observers }: Pick<MarkupHead, 'styles' | 'observers'>,
  isStill: boolean,
): StyleSheet {
  const rules = readAllRules(styles, isStill ? [] : observers, isStill)
  const known = new Map<string, readonly WeightedEffect[]>()
  const asksForAttributes = [...rules.values()].some((some) =>
    some.some(({ selector }) => selector.attributes.length > 0),
  )

  return {
    effectsOn(name, attributes) {
      if (rules.size === 0) return []
      if (asksForAttributes) return find(name, attributes)
      const key = `${name} ${attributes.get('id') ?? ''} ${attributes.get('class') ?? ''}`
      const effects = known.get(key) ?? find(name, attributes)
      known.set(key, effects)
      return effects
    },
  }

  function find(name: string, attributes: Attributes): readonly WeightedEffect[] {
    const classes = classesOf(attributes)
    const keys = [name, ...[...attributes.keys()].map((key) => `[${key}`)]
    for (const each of classes) keys.push(`.${each}`)
    const id = attributes.get('id')
    if (id !== undefined) keys.push(`#${id}`)
    return keys.flatMap((key) =>
      (rules.get(key) ?? []).flatMap(({ selector, effects }) =>
        matches(selector, name, attributes, classes) ? effects : [],
      ),
    )
  }
}

/** By the first name of their selectors, without rules that hide what another rule shows again. */
function readAllRules(
  styles: readonly string[],
  observers: readonly string[],
  isStill: boolean,
): ReadonlyMap<string, Rule[]> {
  const rules = new Map<string, Rule[]>()
  /** Aspects and names, such as `opacity .lazy`, that some rule shows under conditions not looked at. */
  const shown = new Set<string>()
  for (const observer of observers) noteObserved(observer, shown)
  let count = 0
  const addRule = (prelude: string, body: string) => {
    const effects = count < rulesMax ? readStyleEffects(body, isStill) : []
    if (effects.length === 0) return
    for (const written of prelude.split(',', selectorsMax)) {
      const selector = readSelector(written.trim())
      if (selector === undefined || keysOf(selector).length > 1) noteShown(written, effects, shown)
      if (selector === undefined) continue
      count += 1
      const key = keysOf(selector)[0] ?? ''
      const alike = rules.get(key) ?? []
      rules.set(key, alike)
      const weight = weightOf(selector)
      if (alike.length < rulesOfNameMax)
        alike.push({ selector, effects: effects.map((effect) => ({ ...effect, weight })) })
    }
  }
  for (const style of styles) readRules(style, addRule)
  const isFinal = ({ aspect, hides }: StyleEffect, selector: Selector) =>
    !hides || !namesOf(selector).some((name) => shown.has(`${aspect} ${name}`))
  return new Map(
    [...rules].map(([key, alike]) => [
      key,
      alike.map(({ selector, effects }) => ({
        selector,
        effects: effects.filter((effect) => isFinal(effect, selector)),
      })),
    ]),
  )
}

function classesOf(attributes: Attributes): string[] {
  return (attributes.get('class') ?? '').split(/\s+/, classesMax).filter((each) => each !== '')
}

/** Calls for each rule of the sheet whose media conditions hold, in order. */
function readRules(sheet: string, onRule: (prelude: string, body: string) => void): void {
  const text = withoutComments(sheet)
  const mark = /[{};]/g
  const brace = /[{}]/g
  /** Whether the rules of each open block count. */
  const open: boolean[] = []
  let from = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const prelude = text.slice(from, found.index).trim()
    from = mark.lastIndex
    if (found[0] === '}') open.pop()
    if (found[0] !== '{') continue
    const isCounted = open.at(-1) ?? true
    if (prelude.startsWith('@')) {
      open.push(isCounted && isEntered(prelude))
      continue
    }
    brace.lastIndex = from
    const next = brace.exec(text)
    if (next === null) return
    if (isCounted) onRule(prelude, text.slice(from, next.index))
    // Rules inside of a rule depend on what is around.
    if (next[0] === '{') open.push(false)
    else {
      from = brace.lastIndex
      mark.lastIndex = from
    }
  }
}

function withoutComments(text: string): string {
  const parts: string[] = []
  let from = 0
  for (let start = text.indexOf('/*'); start !== -1; start = text.indexOf('/*', from)) {
    parts.push(text.slice(from, start))
    const end = text.indexOf('*/', start + 2)
    from = end === -1 ? text.length : end + 2
  }
  parts.push(text.slice(from))
  return parts.join(' ')
}

function isEntered(prelude: string): boolean {
  const [, name = '', condition = ''] = /^@([a-z-]+)(.*)$/is.exec(prelude) ?? []
  if (/^(?:supports|layer)$/i.test(name)) return true
  return /^media$/i.test(name) && condition.split(',').some(isMediaMet)
}

/** Conditions other than on the width of the window do not hold. */
function isMediaMet(condition: string): boolean {
  const rest = condition.replace(
    /\(\s*(min|max)-width\s*:\s*([\d.]+)(px|r?em)\s*\)/gi,
    (_all, bound: string, number: string, unit: string) => {
      const width = Number(number) * (unit.toLowerCase() === 'px' ? 1 : pxPerEm)
      const isMet = bound.toLowerCase() === 'min' ? width <= windowWidthPx : width >= windowWidthPx
      return isMet ? '' : 'never'
    },
  )
  return /^(?:\s|and\b|only\b|screen\b|all\b)*$/i.test(rest)
}

const compound = /^([a-z][\w-]*)?((?:[#.][\w-]+|\[[^\][]*\])*)$/i
const simple = /[#.][\w-]+|\[[^\][]*\]/g

/** Undefined for selectors that depend on anything but the element itself. */
function readSelector(written: string): Selector | undefined {
  const [all, type, rest = ''] =
    written.length > selectorCharactersMax ? [] : (compound.exec(written) ?? [])
  if (all === undefined || all === '') return undefined
  const parts = rest.match(simple) ?? []
  const named = (mark: string) =>
    parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(1))
  const attributes = named('[').map(readAttributeTest)
  if (attributes.includes(undefined)) return undefined
  return {
    type: type?.toLowerCase(),
    ids: named('#'),
    classes: named('.'),
    attributes: attributes.filter((test) => test !== undefined),
  }
}

/** `written` is what stands in brackets, the last of them included. */
function readAttributeTest(written: string): AttributeTest | undefined {
  const inside = written.slice(0, -1)
  const [operator = ''] = /[~|^$*]?=/.exec(inside) ?? []
  const at = operator === '' ? inside.length : inside.indexOf(operator)
  const name = inside.slice(0, at).trim().toLowerCase()
  const value = inside
    .slice(at + operator.length)
    .trim()
    .replace(/^["']|["']$/g, '')
  return /^[a-z][\w-]*$/.test(name) ? { name, operator, value } : undefined
}

/** By the first of them a rule is looked up. */
function keysOf({ type, ids, classes, attributes }: Selector): string[] {
  return [
    ...ids.map((id) => `#${id}`),
    ...classes.map((name) => `.${name}`),
    ...attributes.map(({ name }) => `[${name}`),
    ...(type === undefined ? [] : [type]),
  ]
}

function namesOf({ ids, classes }: Selector): string[] {
  return [...ids.map((id) => `#${id}`), ...classes.map((name) => `.${name}`)]
}

function noteShown(selector: string, effects: readonly StyleEffect[], shown: Set<string>): void {
  const subject =
    selector
      .replace(/\([^()]*\)/g, '')
      .split(/[\s>+~]+/)
      .at(-1) ?? ''
  // What stands before or after an element is not its text.
  if (subject.includes('::') || /:focus(?:-visible)?\b(?!-within)/.test(selector)) return
  const names = subject.match(/[#.][\w-]+/g) ?? []
  for (const { aspect, hides } of effects)
    if (!hides) for (const name of names) shown.add(`${aspect} ${name}`)
}

const quoted = /(["'`])([^"'`\n]{1,500})\1/g

/** A script that waits until something is scrolled into view fades it in, and names it by its class or id. */
function noteObserved(script: string, shown: Set<string>): void {
  for (const [, , text = ''] of script.matchAll(quoted))
    for (const name of text.split(/[^\w-]+/))
      for (const mark of name === '' ? [] : ['.', '#'])
        for (const aspect of ['opacity', 'visibility']) shown.add(`${aspect} ${mark}${name}`)
}

function weightOf({ type, ids, classes, attributes }: Selector): number {
  return (
    ids.length * idWeight +
    (classes.length + attributes.length) * classWeight +
    (type === undefined ? 0 : 1)
  )
}

const idWeight = 10_000
const classWeight = 100

function matches(
  selector: Selector,
  name: string,
  attributes: Attributes,
  classes: readonly string[],
): boolean {
  return (
    (selector.type === undefined || selector.type === name) &&
    selector.ids.every((id) => id === attributes.get('id')) &&
    selector.classes.every((each) => classes.includes(each)) &&
    selector.attributes.every((test) => passes(test, attributes.get(test.name)))
  )
}

function passes({ operator, value }: AttributeTest, written: string | undefined): boolean {
  if (written === undefined) return false
  const own = decodeHTML(written)
  switch (operator) {
    case '':
      return true
    case '=':
      return own === value
    case '~=':
      return own.split(/\s+/).includes(value)
    case '|=':
      return own === value || own.startsWith(`${value}-`)
    case '^=':
      return value !== '' && own.startsWith(value)
    case '$=':
      return value !== '' && own.endsWith(value)
    default:
      return value !== '' && own.includes(value)
  }
}

/** For each aspect, whether the effect that wins hides. */
export function cascade(effects: readonly WeightedEffect[]): ReadonlyMap<Aspect, boolean> {
  const winners = new Map<Aspect, WeightedEffect>()
  for (const effect of effects) {
    const best = winners.get(effect.aspect)
    if (best === undefined || rankOf(effect) >= rankOf(best)) winners.set(effect.aspect, effect)
  }
  return new Map([...winners].map(([aspect, { hides }]) => [aspect, hides]))
}

const importantWeight = 10_000_000

function rankOf({ isImportant, weight }: WeightedEffect): number {
  return weight + (isImportant ? importantWeight : 0)
}
