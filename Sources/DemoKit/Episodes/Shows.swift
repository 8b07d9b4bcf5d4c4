extension SpokenShow {
    /// The three shows of the demo.
    static let all = [lighthouse, workshop, road]

    static let lighthouse = SpokenShow(
        id: "lighthouse", title: "The Slow Lighthouse", voice: "en-gb", pitch: 35, speed: 150, color: (28, 74, 122),
        jingle: [392, 494, 587],
        episodes: [
            Episode(title: "A Letter for the Fog", thing: "letter", place: "Pebble Point", friend: "Marlow"),
            Episode(title: "The Lamp That Hummed", thing: "lamp", place: "Gannet Rock", friend: "Isolde"),
            Episode(title: "Counting the Ferries", thing: "ferry", place: "Low Haven", friend: "Old Brannock"),
        ],
        chapters: [
            Chapter(
                title: "Evening",
                sentences: [
                    "The keeper of the slow lighthouse climbs one hundred and twelve steps, and counts them every time.",
                    "Tonight there is a {thing} on the table, and nobody remembers putting it there.",
                    "From {place} the sea looks like a sheet that somebody has shaken and not yet laid flat.",
                    "{friend} says that the weather is kinder to people who greet it first.",
                    "So the keeper opens the window, says good evening, and the wind takes off its hat.",
                    "The kettle is older than the tower, and a good deal more reliable.",
                    "When the sun goes down, the light does not hurry: it turns once in every long breath.",
                ]),
            Chapter(
                title: "The visitor",
                sentences: [
                    "A small boat came in under the light, with a lantern, a dog, and no particular plan.",
                    "On the quay of {place} the ropes were already waiting in neat circles.",
                    "The visitor asked for the {thing}, as if it had been ordered by post.",
                    "{friend} had warned us about visitors who ask good questions.",
                    "We drank tea until the tide turned round and came back to listen.",
                    "The dog fell asleep on the logbook, so that page is written around it.",
                    "Every ship that passes gives two short calls, and the tower answers with one long look.",
                ]),
            Chapter(
                title: "The long watch",
                sentences: [
                    "At midnight the sea is the colour of ink that was kept for an important letter.",
                    "The {thing} had begun to make a sound, so quiet that only the moths could hear it.",
                    "A keeper's work is mostly waiting, and waiting is a craft like any other.",
                    "You learn the names of the waves, and then you learn that they change them.",
                    "Far away, near {place}, another light was blinking, and for a while we kept the same time.",
                    "{friend} once stayed awake for three nights, and on the fourth the stars came closer to look.",
                    "There is a rule on the wall which says: if in doubt, polish the glass.",
                ]),
            Chapter(
                title: "Morning",
                sentences: [
                    "Morning arrives from the left, as it always does here, with gulls and a smell of bread.",
                    "The {thing} lay where it had been, a little lighter than the evening before.",
                    "{friend} wrote in the log: nothing lost, two things found, sea polite.",
                    "In {place} the shutters opened one after another, like a hand of cards.",
                    "The keeper climbed down one hundred and twelve steps, and they were all still there.",
                    "That was our watch for this week, dear listener: mind your light, and it will mind you.",
                ]),
        ])

    static let workshop = SpokenShow(
        id: "workshop", title: "Bolts and Biscuits", voice: "en-us", pitch: 60, speed: 165, color: (150, 84, 32),
        jingle: [523, 523, 659],
        episodes: [
            Episode(title: "The Bicycle with Three Bells", thing: "bicycle", place: "the back shed", friend: "Petra"),
            Episode(title: "A Toaster's Second Career", thing: "toaster", place: "the long bench", friend: "Uncle Oswin"),
            Episode(title: "The Very Quiet Drill", thing: "drill", place: "the corner under the stairs", friend: "Juniper"),
        ],
        chapters: [
            Chapter(
                title: "What is broken",
                sentences: [
                    "Welcome back to the workshop, where nothing is rubbish until the biscuits are finished.",
                    "On the bench today we have a {thing}, and it has opinions.",
                    "{friend} brought it in wrapped in a blanket, which is always a bad sign.",
                    "First rule of mending: look at it for as long as it looks at you.",
                    "Somebody before us has used the wrong screw, the right hammer, and far too much hope.",
                    "We carried it to {place}, because the light there forgives mistakes.",
                    "Write down which part came from where, or you will own a puzzle instead.",
                ]),
            Chapter(
                title: "Taking it apart",
                sentences: [
                    "There are eleven screws, and ten of them want to be friends.",
                    "The eleventh is behind a label that says do not open, so we apologised and opened it.",
                    "Inside a {thing} there is always a spring that has waited years for this moment.",
                    "{friend} caught it in a hat, which is why we wear hats.",
                    "Lay the parts out from left to right, like a sentence, and read it back.",
                    "Under {place} we found the missing washer, and two that were never missing at all.",
                    "A drop of oil is a kindness, two drops are a habit, and three are a puddle.",
                ]),
            Chapter(
                title: "Putting it together",
                sentences: [
                    "Now we go backwards, which is the same as forwards but with more doubt.",
                    "Every part goes in easily when it is the right part, and also, sadly, when it is not.",
                    "{friend} reads the list aloud while I nod in a confident way.",
                    "The {thing} gave a small click, and in {place} everybody stopped talking.",
                    "Tighten it until it holds, and then stop, because pride strips threads.",
                    "If a piece is left over, put it in the jar of mysteries and label it with the date.",
                    "We wiped the bench, and the bench looked surprised.",
                ]),
            Chapter(
                title: "Biscuits",
                sentences: [
                    "The verdict is in: the {thing} works, and it only smells a little of oranges.",
                    "Today's biscuit is oat with a rumour of ginger, baked by {friend}.",
                    "Listeners ask whether {place} is ever tidy; the honest answer is a matter of definition.",
                    "Send us your noises, your rattles and your unexplained hums.",
                    "Next week we mend something that was never broken, just to see the difference.",
                    "Until then: righty tighty, lefty loosey, and always count your fingers.",
                ]),
        ])

    static let road = SpokenShow(
        id: "road", title: "Kilometre Nought", voice: "en-gb-scotland", pitch: 48, speed: 158, color: (44, 110, 66),
        jingle: [330, 440, 554],
        episodes: [
            Episode(title: "The Road That Starts Twice", thing: "milestone", place: "Upper Wendle", friend: "the postwoman"),
            Episode(title: "Bridge of Many Opinions", thing: "bridge", place: "Netherford", friend: "the toll keeper"),
            Episode(title: "A Map Drawn by Sheep", thing: "map", place: "Thistle Pass", friend: "the shepherd"),
        ],
        chapters: [
            Chapter(
                title: "Setting out",
                sentences: [
                    "Every road has a kilometre nought, and most of them are behind a bakery.",
                    "We left {place} while the street lamps were still arguing with the dawn.",
                    "In the glove box there was a {thing}, folded eight times and signed by a stranger.",
                    "{friend} waved, in the way that means both goodbye and you forgot something.",
                    "A good journey begins when nobody in the car can say exactly when it began.",
                    "The first hill is never steep; it only wants to know whether you are serious.",
                    "We agreed on the rules: no short cuts, no hurry, and soup at every second village.",
                ]),
            Chapter(
                title: "The long straight",
                sentences: [
                    "For an hour the road was so straight that the clouds used it as a ruler.",
                    "On the left there were cows, and on the right there were the same cows, thinking.",
                    "The {thing} appeared exactly where the old book had said it would not be.",
                    "Somewhere near {place} the radio lost the station, and found a better one.",
                    "{friend} had told us to count the poplars, and to stop when they start counting back.",
                    "You pass a sign, and then you spend ten minutes wondering what it said.",
                    "Between two towns there is a bench that belongs to neither, and we ate our apples there.",
                ]),
            Chapter(
                title: "The detour",
                sentences: [
                    "Then came the orange arrows, which in this county are mostly a point of view.",
                    "The detour went through a yard, a wedding, and a very patient flock of geese.",
                    "An old man explained the {thing} to us for as long as it takes to boil an egg.",
                    "We were lost for a while, and it was the best part of the afternoon.",
                    "{friend} says that a wrong turning is only a right one that has not met you yet.",
                    "The river at {place} has two banks, and both of them claim to be the near one.",
                    "We asked a child for the way, and were given directions to a hidden castle instead.",
                ]),
            Chapter(
                title: "Arriving",
                sentences: [
                    "You can tell that you are arriving when the bread starts to look familiar.",
                    "The {thing} is back in its place now, and the dust on it is ours.",
                    "In {place} they had kept the soup warm, without being asked.",
                    "{friend} stamped our notebook with a potato, and it is the finest stamp we own.",
                    "The engine ticked as it cooled, like somebody counting the day's change.",
                    "Wherever you are listening, that is kilometre nought as well: mind how you go.",
                ]),
        ])
}
