/**
 * What the texts of orders have in common besides the fragments of their packing: names of members, statuses in their usual
 * order, kinds of tests, and beginnings of values. Deflate refers to it instead of repeating it. It is a text to find sequences in,
 * not JSON: what is most frequent comes last.
 *
 * Never change a text: stored values were deflated with it. Add another instead.
 */

const HISTORY = [
  ['closed', 'cancelled'],
  ['closed', 'expired'],
  ['closed', 'noShow'],
  ['exception', 'integrationError'],
  ['exception', 'lostInTransit'],
  ['final', 'testNotPerformed'],
  ['final', 'testCancelled'],
  ['final', 'notFitForDuty'],
  ['final', 'fitForDuty'],
  ['final', 'unobtainable'],
  ['final', 'adulterated'],
  ['final', 'substituted'],
  ['final', 'negativeDilute'],
  ['final', 'released'],
  ['final', 'complete'],
  ['final', 'fail'],
  ['final', 'pass'],
  ['processing', 'inProgress'],
  ['ordered', 'linkSent'],
  ['scheduling', 'scheduled'],
  ['collection', 'checkedIn'],
  ['collection', 'collected'],
  ['transit', 'inTransit'],
  ['lab', 'receivedAtLab'],
  ['lab', 'testing'],
  ['exception', 'nonNegative'],
  ['mro', 'mroReview'],
  ['final', 'positive'],
  ['final', 'negative'],
] as const

const SERVICES = [
  ['occupationalHealth', 'dotPhysical', 'DOT Physical'],
  ['alcohol', 'breath', 'Breath Alcohol Test'],
  ['drug', 'oralFluid', 'Oral Fluid Drug Test'],
  ['drug', 'hair', 'Hair Drug Test'],
  ['drug', 'urine', '5-Panel Urine Drug Test'],
] as const

const REASONS = [
  'other',
  'periodic',
  'followUp',
  'returnToDuty',
  'reasonableSuspicion',
  'postAccident',
  'random',
  'preEmployment',
]

const PARTICIPANT = [
  '"identifiers":[{"type":"driverLicense","value":"","issuingCountry":"US","issuingState":"","object":"participantIdentifier"}',
  '"type":"ssn","value":"',
  '{"address":null,"birthDate":null,"email":null,',
  '{"address":{"city":"","country":"US","line1":"","line2":"","object":"address","postalCode":"","state":""},"birthDate":"19',
  '","email":"@gmail.com","firstName":"","lastName":"","middleName":null,"phone":"+1',
  '","identifiers":[{"type":"employeeId","value":"","issuingCountry":null,"issuingState":null,"object":"participantIdentifier"}]}',
].join('')

export const TYPICAL_ANSWER = [
  ...REASONS.map((reason) => `","testReason":"${reason}","updatedAt":"202`),
  PARTICIPANT,
  '\0{"agency":{"id":"","object":"agency"},"clinic":{"address":{"city":"","country":"US","line1":"","line2":"Suite ","object":"address","postalCode":"',
  '","state":""},"id":"","name":"","object":"clinic","phone":"+1"},',
  '\0{"agency":null,"clinic":null,"code":"","company":{"id":"","name":"","object":"company","url":"/api/v2/companies/',
  `"},"createdAt":"2026-","expiresAt":null,"externalId":null,"id":"ord_01","isFinal":true,`,
  '"jobCategory":null,"location":{"id":"","name":"","object":"location","url":"/api/v2/locations/',
  '"},"object":"order","otherTestReason":null,"packages":[{"id":"","name":"","object":"package","url":"/api/v2/packages/"}],"services":[',
  ...SERVICES.map(
    ([category, type, name]) =>
      `{"attributes":{"category":"${category}","type":"${type}"},"courierServiceName":null,"id":"osv_01_1","isDot":false,"isFinal":true,` +
      `"lab":null,"name":"${name}","object":"orderService","screenHistory":[],"specimenId":null,"status":"negative","statusHistory":[`,
  ),
  ',"lab":{"id":"","name":" Toxicology","object":"vendor","type":"lab"},"screenHistory":[{"object":"orderServiceScreenHistory","occurredAt":"202',
  '","isDot":true,"isFinal":false,"],"specimenId":"","status":"negative","statusHistory":[{"groupType":"ordered","object":"orderServiceStatusHistory","occurredAt":"202',
  'Z","status":"ordered"},',
  ...HISTORY.map(
    ([group, status]) =>
      `{"groupType":"${group}","object":"orderServiceStatusHistory","occurredAt":"2026-","status":"${status}"},`,
  ),
  '"}],"statusUpdatedAt":"202","trackingNumber":null},',
  '"trackingNumber":null}],"status":"negative","statusUpdatedAt":"202","testReason":"preEmployment","updatedAt":"202',
  'Z","url":"/api/v2/orders/ord_01"}',
].join('')

export const TYPICAL_CONTENT = [
  ...REASONS.map(
    (reason) => `"}],"agencyId":null,"jobCategoryId":null,"testReason":"${reason}","otherTestReason":null`,
  ),
  '{"id":"ord_01","code":"","company":{"id":"","name":""},"location":{"id":"","name":""},"packages":[{"id":"","name":"',
  '"}],"agencyId":"","jobCategoryId":"","testReason":"preEmployment","otherTestReason":null,"observed":false,"source":"api","clinic":null',
  ',"isBooked":false,"appointmentAt":null,"services":[',
  ...SERVICES.map(
    ([category, type, name]) =>
      `{"id":"osv_01_1","serviceId":"${type}","name":"${name}","category":"${category}","type":"${type}","isDot":false,"requiresMro":false,"lab":null,` +
      '"status":"negative","statusUpdatedAt":"202',
  ),
  'Z","specimenId":"","courierServiceName":null,"trackingNumber":null,"history":[',
  '{"status":"ordered","at":"202',
  ...HISTORY.map(([, status]) => `"},{"status":"${status}","at":"2026-`),
  'Z"}],"screens":[]},{"id":"osv_01',
  'Z"}],"screens":[]}],"participant":{"firstName":"","lastName":"","middleName":null,"address":{"city":"","country":"US","line1":"","line2":"',
  '","object":"address","postalCode":"","state":""},"birthDate":"19","email":"@gmail.com","phone":"+1","identifiers":[',
  '{"type":"driverLicense","value":"","issuingCountry":"US","issuingState":""}{"type":"ssn","value":"',
  '{"type":"employeeId","value":"","issuingCountry":null,"issuingState":null}]},"requester":{"email":"@.com","firstName":"","lastName":"',
  '","middleName":null,"phone":"+1"},"delivery":{"type":"mobile","phone":"+1"},"delivery":{"type":"email","to":"","cc":[]},',
  '"scheduling":{"option":"participant","mode":null}"scheduling":{"option":"order","mode":null},"billingCode":null,"ended":null,"cancelReason":null,',
  '"status":"negative","createdAt":"202","updatedAt":"202","statusUpdatedAt":"202","expiresAt":null,"history":[',
  '{"status":"ordered","at":"202Z"},{"status":"negative","at":"202Z"}],"externalId":null}',
].join('')

/** What the lists of orders have in common (`store/orders/order-text.ts`). */
export const TYPICAL_LISTS = [
  ...REASONS.map((reason) => `"}]],["${reason}",null,0,"api",null,null,null,null],["order",null,null,0,null,0],["`),
  '[["ord_01","",17',
  '],[{"id":"","name":""},{"id":"","name":""},[{"id":"","name":""}]],["preEmployment",null,0,"api",null,null,null,null],',
  '["participant",null,{"address":{"line1":"","line2":"","city":"","state":"","postalCode":"","country":"US"},"id":"","name":"","phone":"+1',
  '"},1,null,0],["schedule","closestToParticipant",null,0,null,0],["order",null,null,0,null,0],["hr@.com","","",null,"+1","+1",null],',
  '["@example.com","","",null,null,["@example.com"],null],["negative",null,null,0,0,null,[["ordered",0],["incomplete",',
  '],["pending",],["positive",],["negative",]]],[["osv_01',
  ...SERVICES.map(
    ([category, type, name]) => `_1","","${name}","${category}","${type}",0,0,null,null,null,null,"ordered",0,[`,
  ),
  '0,1,{"id":"","name":" Toxicology"},"","","","negative",',
  ...HISTORY.map(([, status]) => `],["${status}",`),
  ',[["ordered",0],["scheduled",],["checkedIn",],["collected",],["receivedAtLab",],["testing",],["negative",]],[]],["osv_01',
].join('')
