// A handbook of thirty chapters on a site that lists them on many pages: contents with descriptions, an index by
// letter, overviews of each part with excerpts, and "see also" below each chapter. The questions are asked in other
// words than the titles.

interface Chapter {
  readonly path: string
  readonly title: string
  readonly about: string
  readonly text: string
  readonly question: string
}

/** path | title | what lists say about it | its text | a question that it answers */
const rows = `
mooring/lines | Mooring lines | Choosing and doubling lines before a storm | Use three lines of the same stretch on each side. Before a storm double the bow and stern lines and fit chafing gear where they pass the rail. | doubling lines before a storm
mooring/fenders | Fenders | Protecting the hull against the quay | Hang four fenders at the widest part of the hull, a hand above the water. Larger ships rent floating fenders from the harbour office. | protect hull against quay
mooring/buoys | Visitor buoys | Picking up a buoy for one night | White buoys take ships up to twelve metres for one night. Lead a slip line through the ring and keep watch on the neighbours when the wind turns. | pick up a buoy for one night
mooring/anchors | Anchoring in the roads | Where the ground holds an anchor | The roads have sand over clay, which holds well. Lay out five times the depth of chain and show a black ball by day. | where does the ground hold an anchor
mooring/rafting | Rafting up | Lying alongside another ship | Ask the inner ship first. Run your own lines to the shore, and cross her foredeck, not her cockpit, when you go on land. | lying alongside another ship
dues/tariff | Tariff | What a berth costs for each metre and night | A berth costs two crowns for each metre and night, and half of it from November to March. Catamarans pay one and a half times. | berth cost for each metre and night
dues/payment | Paying dues | Paying at the machine or by card at the office | The machine beside the crane takes cards and prints the receipt that you fix to the pulpit. The office takes cash until six. | paying at the machine by card
dues/refunds | Refunds | Getting money back when you leave early | Who leaves before noon gets the nights that are left back. Hand in the receipt; the money goes to the same card within a week. | money back when leaving early
dues/season | Season berths | Renting a berth for the whole summer | A season runs from April to October. Write to the harbour master before February, since the list of those who wait is long. | renting a berth for the whole summer
dues/discounts | Discounts | Reduced dues for clubs and tall ships | Members of the three clubs pay four fifths. Tall ships that open their deck to visitors pay nothing on two nights. | reduced dues for clubs
services/fuel | Fuel dock | Diesel and petrol with opening hours | Diesel and petrol flow from seven to nineteen. Stop the engine, send the crew ashore and put the nozzle in before you open the valve. | opening hours for diesel and petrol
services/water | Drinking water | Filling tanks from the taps on the pontoons | Each pontoon has a blue tap. Let it run for a minute and bring your own hose, because the red one is for washing decks. | filling tanks from the taps
services/power | Shore power | Plugs, fuses and how much current a berth has | Sockets are blue, with three pins and a fuse of ten ampere. A kettle and a heater together are too much. | fuses and current at a berth
services/waste | Waste | Sorting rubbish, oil and batteries | Bring oil and batteries to the green shed. Rubbish goes into the containers at the gate in two bags, food by itself. | sorting rubbish oil and batteries
services/pumpout | Pump-out | Emptying holding tanks without charge | The pump-out stands at the end of pontoon C. It costs nothing; press the button, and rinse the hose with sea water. | emptying holding tanks
services/laundry | Laundry | Washing machines and tokens | Two machines stand behind the showers. Tokens come from the office, and a wash takes fifty minutes. | washing machines and tokens
services/crane | Crane | Lifting ships out of the water | The crane lifts twenty tonnes. Mark where the slings go, take down the backstay, and be there a quarter of an hour before. | lifting a ship out of the water
services/winter | Winter storage | Storing ships ashore under cover | The hall takes forty ships ashore, without masts. Covers must not touch the stoves, and batteries go home with you. | storing ships ashore under cover
safety/channels | Radio channels | Which channel to call the harbour on | Call the harbour on channel twelve and listen on sixteen. Keep it short and repeat numbers one by one. | channel to call the harbour on
safety/fire | Fire on board | What to do when a ship burns | Shout, call the brigade, cut the lines and let the burning ship drift clear. Extinguishers hang at every second lamp. | what to do when a ship burns
safety/overboard | Man overboard | Ladders and rescue rings on the pontoons | Throw a ring, then point at the swimmer. Ladders reach down into the water on both sides of every pontoon. | ladders and rescue rings
safety/weather | Weather notices | Reading the forecast at the harbour office | The forecast hangs at the door from eight. A red flag means wind above seven; then stay in. | reading the forecast at the office
safety/tides | Tides | High water and the depth over the sill | The sill has two metres at low water. Add the height from the table and keep half a metre under the keel. | depth over the sill at high water
safety/lights | Lights and marks | Finding the entrance at night | Keep the two white lights in line until the green one on the mole is abeam, then turn to starboard. | finding the entrance at night
town/showers | Showers | Codes for the showers and toilets | The code is on your receipt and changes each Monday. Hot water runs for four minutes. | code for the showers and toilets
town/shops | Shops | Where to buy food on Sundays | The bakery opens on Sundays from seven, and the store by the church until noon. Everything else rests. | buy food on Sundays
town/bikes | Bicycles | Borrowing a bicycle from the office | Six bicycles can be borrowed for a day against a passport. Lock them at the rack and never to the rail. | borrowing a bicycle
town/bus | Buses and ferry | Getting to the railway station | Line four leaves from the gate every half hour to the railway station. The last ferry back sails at ten. | getting to the railway station
town/doctor | Doctor | Finding a doctor or dentist at weekends | The doctor on duty at weekends is named at the office door. The dentist answers by telephone only. | dentist at weekends
town/wifi | Wireless network | Password of the wireless network | Its password is printed below the number of your berth. The network reaches the first four pontoons. | password of the wireless network`

const chapters: readonly Chapter[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [path = '', title = '', about = '', text = '', question = ''] = row.split(' | ')
    return { path, title, about, text, question }
  })

const site = 'https://handbook.example/'
const urlOf = ({ path }: Pick<Chapter, 'path'>) => `${site}${path}`
const linkTo = (chapter: Chapter, label = chapter.title) =>
  `<a href="${urlOf(chapter)}">${label}</a>`
const pageOf = (path: string, title: string, content: string) => ({
  url: `${site}${path}`,
  title: `${title} – Handbook`,
  content: `<h1>${title}</h1>${content}`,
})

const chapterPages = chapters.map((chapter, at) => {
  const others = [1, 7, 13, 19].map((step) => chapters[(at + step) % chapters.length] as Chapter)
  const seeAlso = others.map((other) => `<li>${linkTo(other)}: ${other.about}</li>`).join('')
  const content = `<p>${chapter.text}</p><h2>See also</h2><ul>${seeAlso}</ul>`
  return pageOf(chapter.path, chapter.title, content)
})

const contents = chapters
  .map((chapter) => `<dt>${linkTo(chapter)}</dt><dd><p>${chapter.about}.</p></dd>`)
  .join('')
const byLetter = chapters
  .toSorted((one, other) => (one.about < other.about ? -1 : 1))
  .map((chapter) => `<li>${linkTo(chapter, chapter.about)}</li>`)
  .join('')
const cards = chapters
  .map(
    (chapter) =>
      `<a href="${urlOf(chapter)}"><div>${chapter.title}</div><p>${chapter.about}</p></a>`,
  )
  .join('')
const table = chapters
  .map((chapter) => `<tr><td>${linkTo(chapter)}</td><td>${chapter.about}</td></tr>`)
  .join('')
const overviews = [...Map.groupBy(chapters, ({ path }) => path.split('/')[0] ?? '')].map(
  ([part, own]) => {
    const excerpts = own.map(
      (chapter) =>
        `<h2>${linkTo(chapter, chapter.about)}</h2><p>${chapter.text.slice(0, 90)} …</p>`,
    )
    return pageOf(part, `Overview of ${part}`, excerpts.join(''))
  },
)

export const handbook = {
  site,
  pages: [
    ...chapterPages,
    ...overviews,
    pageOf('contents', 'Contents', `<dl>${contents}</dl>`),
    pageOf('letters', 'From A to Z', `<ul>${byLetter}</ul>`),
    pageOf('start', 'Start', cards),
    pageOf('table', 'Table of chapters', `<table>${table}</table>`),
  ],
  questions: chapters.map((chapter) => ({ question: chapter.question, url: urlOf(chapter) })),
}
