/**
 * A few invented notes of a household, so that a fresh provider has something to
 * remember. Data only.
 *
 * Pure. Source: issue A, "Reference provider" and "Demo".
 */

/** File name → content. */
export const SAMPLE_NOTES: Readonly<Record<string, string>> = {
  "garden.md": `# Garden

## Tomatoes

Water the tomatoes every second evening, at the roots, about two litres a plant 🍅.
In a heat wave they get water every evening. The seedlings came from Mrs Okafor next door.

## Compost

The compost bin takes peel, coffee grounds and dry leaves, but no cooked food.
Turn the heap on the first Saturday of the month.
`,
  "clinic-hours.md": `# Lindenhof clinic

## Opening hours

The clinic is open Monday to Thursday from 8:00 to 18:00 and on Friday from 8:00 to 13:00.
On Saturday only the vaccination room is open, from 9:00 to 11:30.

## Appointments

Book check-ups at least three weeks ahead. For a sick child call before 8:30 and ask for
Dr. Amari: she keeps two slots free every morning.
`,
  "travel.md": `# Trip to Lisbon

The train to the airport leaves from platform 4 at 06:12; the flight is at 09:40.
The flat in Lisbon is in Rua das Flores. The key box code is with Jonas, not in these notes.

## Packing list

- passports and the blue insurance card
- Mira's inhaler and the spare one
- rain jackets: October there is mild but wet
`,
  "household.md": `# Household

Paper is collected on the second and fourth Tuesday of the month, glass is not collected at all.
The heating is serviced every March by the Brandt company; their last visit found a worn pump seal.

Nobody in this house eats hazelnuts: Mira is allergic to them.
`,
};
