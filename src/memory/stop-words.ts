/**
 * English words that say how something is asked, not what about. A question made of
 * nothing else is about nothing. Spelled as `terms.ts` leaves them.
 *
 * Pure. Source: issue A, "Reference provider".
 */
const ARTICLES_AND_PRONOUNS =
  "a an the this that these those it its he him his she her hers they them their theirs we us our ours you your yours " +
  "i me my mine myself yourself itself who whom whose which what where when why how someone something anyone anything " +
  "everyone everything one ones there here";
const PREPOSITIONS_AND_CONJUNCTIONS =
  "of to in on at by for from with without about into onto over under between through during after before until since " +
  "as than if then else and or but nor so because while though although not no yes too also very just only even again " +
  "still ever never always maybe per via out up down off";
const AUXILIARIES =
  "be am is are was were been being do does did doing done have has had having can could may might must shall should " +
  "will would isn aren wasn weren don doesn didn haven hasn hadn won wouldn couldn shouldn cannot ll ve re";
const CONVERSATION =
  "please thanks thank hello hi hey ok okay tell show give get got let say said ask know think want need like help " +
  "find look see remind remember explain describe mean make much many more most some any all each every other such " +
  "same own really quite now today time thing things way good best great well";

export const STOP_WORDS: ReadonlySet<string> = new Set(
  [ARTICLES_AND_PRONOUNS, PREPOSITIONS_AND_CONJUNCTIONS, AUXILIARIES, CONVERSATION].join(" ").split(" "),
);
