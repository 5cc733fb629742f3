// Sentences, names and numbers for made pages. No two paragraphs are the same, and the same seed gives the same text.

export type Language = 'en' | 'de'

export interface Writer {
  pick<T>(from: readonly T[]): T
  /** From `from` to `to`, both included. */
  count(from: number, to: number): number
  noun(): string
  sentence(): string
  paragraph(): string
  heading(): string
  /** A few words without a verb, as in a cell or an item. */
  label(): string
  amount(): string
  person(): string
}

interface Vocabulary {
  readonly nouns: readonly string[]
  readonly adjectives: readonly string[]
  readonly people: readonly string[]
  readonly sentences: readonly string[]
  readonly headings: readonly string[]
  readonly units: readonly string[]
}

const vocabularies: Readonly<Record<Language, Vocabulary>> = {
  en: {
    nouns:
      'harbour,ferry,committee,bridge,library,orchard,tariff,survey,valley,turbine,archive,reservoir,market,school,railway,glacier,pension,festival,engine,contract,vaccine,satellite,museum,budget,census,quarry,lighthouse,cooperative,laboratory,parish'.split(
        ',',
      ),
    adjectives:
      'old,regional,unexpected,narrow,public,private,northern,cheap,costly,recent,early,careful,quiet,broad,local,foreign,dry,deep'.split(
        ',',
      ),
    people:
      'Ada Brandt,Tom Whitfield,Mira Okafor,Jonas Lind,Ruth Castellan,Ines Duarte,Peter Novak,Leila Haddad,Owen Pryce,Hana Sato'.split(
        ',',
      ),
    sentences: [
      'The {a} {n} near the {n} was closed for {d} weeks because the two towns could not agree on who should pay for the {n}.',
      'According to {p}, the {n} has lost {d} percent of its visitors since the {a} {n} opened on the other side of the {n}.',
      'It took the {n} almost {d} years to accept that a {a} {n} needs more than a {a} {n}.',
      '“We had planned for a {a} {n}, and what we got was a {n},” said {p}, who has worked for the {n} for {d} years.',
      'In the {a} part of the {n}, where the {n} meets the {n}, prices rose by {d} percent within a single year.',
      'Critics point out that the {n} still depends on the {n}, and that a {a} {n} would cost {d} million more.',
      'When the {n} failed for the second time, {p} wrote to the {n} and asked for {d} days.',
      'Most of the {d} people who answered the {n} would rather keep the {a} {n} than build a new {n}.',
      'A {a} {n} needs a {n}, as all those who have seen the {n} in winter will confirm.',
      'The report lists {d} reasons, among them the {a} {n}, the {n} and the way in which the {n} is paid.',
    ],
    headings: [
      'What the {n} costs',
      'A {a} {n}',
      'Why the {n} matters',
      'After the {n}',
      'The {n} in numbers',
    ],
    units: ['km', 'kg', '%', 'MW', 'days', 'm²', 'litres'],
  },
  de: {
    nouns:
      'Hafen,Bahnhof,Ausschuss,Markt,Turm,Garten,Tarif,Bericht,Betrieb,Vertrag,Haushalt,Speicher,Motor,Verein,Kanal,Gletscher,Antrag,Versuch,Steinbruch,Leuchtturm,Verkehr,Stadtrat'.split(
        ',',
      ),
    adjectives:
      'alte,regionale,schmale,nördliche,teure,frühe,sorgfältige,stille,breite,fremde,trockene,tiefe,neue'.split(
        ',',
      ),
    people:
      'Anna Behrens,Karl Ostermann,Mira Yildiz,Jonas Lindner,Ruth Kessler,Ines Falk,Peter Nowak,Leila Haddad'.split(
        ',',
      ),
    sentences: [
      'Der {a} {n} am {n} blieb {d} Wochen lang geschlossen, weil sich niemand einigen konnte, wer den {n} bezahlt.',
      'Nach Angaben von {p} hat der {n} seit dem vergangenen Jahr rund {d} Prozent seiner Besucher an den {n} verloren.',
      'Es dauerte fast {d} Jahre, bis der {n} einsah, dass ein Ort mehr braucht als einen {n} und einen {n}.',
      '„Wir hatten mit einem {n} gerechnet, und bekommen haben wir einen {n}“, sagte {p}, die seit {d} Jahren für den {n} arbeitet.',
      'Wo der {n} auf den {n} trifft, stiegen die Preise innerhalb eines Jahres um {d} Prozent, und der {n} wurde verkauft.',
      'Kritiker wenden ein, dass der {n} weiterhin vom {n} abhängt und dass jeder andere {n} {d} Millionen mehr kosten würde.',
      'Als der {n} zum zweiten Mal ausfiel, schrieb {p} an den {n} und bat um {d} Tage Aufschub.',
      'Die meisten der {d} Befragten würden lieber den {n} behalten, als noch einmal einen {n} zu bauen.',
    ],
    headings: ['Was der {n} kostet', 'Der {a} {n}', 'Warum der {n} wichtig ist', 'Nach dem {n}'],
    units: ['km', 'kg', '%', 'MW', 'Tage', 'm²', 'Liter'],
  },
}

export function createWriter(language: Language, random: () => number): Writer {
  const { nouns, adjectives, people, sentences, headings, units } = vocabularies[language]
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const count = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const fill = (pattern: string) =>
    pattern.replace(/\{(\w)\}/g, (_all, kind: string) => {
      if (kind === 'a') return pick(adjectives)
      if (kind === 'p') return pick(people)
      return kind === 'd' ? String(count(2, 98)) : pick(nouns)
    })
  const sentence = () => fill(pick(sentences))
  return {
    pick,
    count,
    noun: () => pick(nouns),
    sentence,
    paragraph: () => Array.from({ length: count(1, 4) }, sentence).join(' '),
    heading: () => fill(pick(headings)),
    label: () => Array.from({ length: count(1, 3) }, () => pick(nouns)).join(' '),
    amount: () => `${count(1, 999)}${pick(['', '.', ','])}${count(10, 99)} ${pick(units)}`,
    person: () => pick(people),
  }
}
