/** Each group has a full name and its short forms. */
const GROUPS = `
  abigail abby gail, abraham abe, albert al bert bertie, alexander alex al sandy sasha,
  alexandra alex sandra sandy lexi, alfred al fred freddie, alice ali, allison allie ali, amanda mandy,
  andrea andie drea, andrew andy drew, angela angie, anna ann annie, anthony tony, antonio tony, arthur art artie,
  barbara barb babs, benjamin ben benny, bernard bernie, beverly bev, bradley brad, calvin cal, cameron cam,
  carolyn carol carrie, catherine cathy cate cat, charles charlie chuck chas, charlotte charlie lottie,
  christina chris christy tina, christine chris chrissy tina, christopher chris kit topher, clifford cliff,
  cynthia cindy, daniel dan danny, david dave davey, deborah deb debbie, dennis denny, donald don donnie,
  dorothy dot dottie, douglas doug, edward ed eddie ned ted teddy, eleanor ellie nell nora,
  elizabeth liz lizzie beth betty eliza elsie libby betsy, emily em emmy, eugene gene, evelyn eve evie, florence flo,
  frances fran frannie, francis frank fran, francisco frank paco pancho, franklin frank, frederick fred freddie rick,
  gabriel gabe, gabriela gabby, george geordie, gerald gerry jerry, gilbert gil bert, gregory greg, guadalupe lupe,
  harold hal harry, harriet hattie, helen nell nellie, henry hank harry hal, herbert herb bert, howard howie,
  irene renie, isabella bella izzy, isabelle belle izzy, jacob jake, jacqueline jackie, james jim jimmy jamie,
  janet jan, jason jay, jeffrey jeff, jennifer jen jenny, jeremiah jerry, jeremy jerry, jessica jess jessie,
  jesus chuy, joan joanie, john jack johnny jon, jonathan jon johnny, jose pepe, joseph joe joey, joshua josh,
  josephine jo josie, judith judy, julia julie jules, katherine kate kathy katie kay kit, kathleen kathy kate katie,
  kenneth ken kenny, kimberly kim, laurence larry laurie, lawrence larry laurie, leonard leo len lenny, leslie les,
  lillian lily lil, louis lou louie, louise lou, lucille lucy lou, margaret maggie meg peggy marge margie rita greta,
  maria mary mia, martha marty, martin marty, mary molly polly, matthew matt, maximilian max, megan meg,
  melissa missy mel, melvin mel, michael mike mikey mick micky, michelle shelly, mildred millie, miranda randy mandy,
  mitchell mitch, mohammed mo, nancy nan, natalie nat, nathan nate nat, nathaniel nate nat, nicholas nick nicky,
  nicole nicki, norman norm, oliver ollie, olivia liv livvy, oscar oz, pamela pam, patricia pat patty tricia trish,
  patrick pat paddy, peter pete, philip phil, rachel rae, ramon ray, randall randy, raymond ray, rebecca becky becca,
  regina gina reggie, reginald reg reggie, richard rick dick rich richie ricky, robert bob bobby rob robbie bert,
  roberta bobbie, roberto beto, rodney rod, roger rog, roland rollie, ronald ron ronnie, rosemary rose rosie,
  russell russ rusty, salvador sal, samantha sam, samuel sam sammy, sandra sandy, sarah sally sadie, sebastian seb,
  sharon shari, sheldon shelly, shirley shirl, sidney sid, sophia sophie, stanley stan, stephanie steph,
  stephen steve stevie, steven steve stevie, stuart stu, susan sue suzy susie, suzanne sue suzy, sylvester sly,
  tamara tammy, teresa terry tess, terrence terry, thaddeus thad ted, theodore ted teddy theo, theresa terry tess,
  thomas tom tommy, timothy tim timmy, tobias toby, valerie val, vanessa nessa, veronica ronnie, vernon vern,
  victor vic, victoria vicky tori, vincent vince vinny, virginia ginny, vivian viv, walter walt wally, wanda wendy,
  warren ren, wesley wes, wilbur will, wilfred will fred, william bill billy will willie liam, zachary zach zack`

/** For each name, the other names of its groups: two short forms of one name count too. */
export const NICKNAMES: ReadonlyMap<string, ReadonlySet<string>> = build()

function build(): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const group of GROUPS.split(',').map((listed) => listed.trim().split(/\s+/))) {
    for (const name of group)
      names.set(name, new Set([...(names.get(name) ?? []), ...group.filter((other) => other !== name)]))
  }
  return names
}
