package VASSAL.launch;

import VASSAL.build.GameModule;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.GlobalOptions;
import VASSAL.build.module.LogAccess;
import VASSAL.build.module.Map;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.build.module.ToolbarMenu;
import VASSAL.build.module.map.MoverAccess;
import VASSAL.build.widget.PieceSlot;
import VASSAL.counters.Deck;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.PieceFinder;
import VASSAL.counters.PieceIterator;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import VASSAL.tools.NamedKeyStroke;

import javax.swing.*;
import javax.imageio.ImageIO;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Toolkit;
import java.awt.Window;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.List;

/**
 * PlayLog MODULE SCRIPT OUT.vlog [--setup NAME] [--out JSON]: plays a turn in the engine and writes the log of it.
 *
 * The script holds one action a line, fields separated by tabs; a piece goes by its UnitId or MarkerId (the first on MAP), or by its id:
 *   key PIECES CODE,MODIFIERS     menu PIECES ENTRY          select pieces (comma between them), press a key or choose a menu entry
 *   drag PIECES MAP X Y           draw DECK MAP X Y          drop pieces, or the next card of a deck, on a point
 *   button TEXT                   hotkey CODE,MODIFIERS      press a button or an entry of a toolbar menu; press a key of the toolbar
 *   say TEXT                      undo                       shot PNG                side NAME (sit down on a side)
 *   take PIECE MAP X Y            dice N,N...                drag a counter out of the palette; what the next dice show
 *   wander N SEED                 N drags, menu entries, draws and buttons at random, as the module offers them
 *   spread PIECE                  look PIECE                 spread a stack out; lay the mouse on it, so that the stack viewer opens
 *   click MAP X Y                 which piece a click there selects, for `clicked` of the report
 *
 * --wizard: the set-up is chosen on the engine's own page of the welcome wizard, which loads it while the map is painted.
 */
public final class PlayLog {
  public static void main(String[] a) {
    Harness.guard(a, () -> run(a));
  }

  static int run(String[] a) throws Exception {
    String setup = null;
    boolean wizard = false;
    final List<String> files = new ArrayList<>();
    for (int i = 0; i < a.length; i++) {
      if ("--setup".equals(a[i])) setup = a[++i];
      else if ("--wizard".equals(a[i])) wizard = true;
      else if ("--out".equals(a[i])) ++i;   // see Harness.guard
      else files.add(a[i]);
    }
    Harness.boot(new File(files.get(0)));
    PredefinedSetup chosen = null;
    for (final PredefinedSetup s : Harness.setups()) if (setup == null ? chosen == null : setup.equals(s.getConfigureName())) chosen = s;
    if (chosen == null && setup != null) throw new IllegalArgumentException("no such set-up");
    Harness.phase = "setup";
    if (chosen == null) Harness.newGame();
    else if (wizard) Harness.throughTheWizard(chosen);
    else Harness.launch(chosen);
    if (!GameModule.getGameModule().getGameState().isGameStarted()) {
      Harness.notice("set-up", "the set-up did not start: a new game instead");
      Harness.newGame();
    }
    final java.util.Map<String, Object> res = new LinkedHashMap<>();
    res.put("toolbar", Harness.edt(PlayLog::visibleButtons));
    res.put("menus", Harness.edt(PlayLog::menus));
    Harness.edt(() -> { LogAccess.begin(new File(files.get(2))); return null; });
    int n = 0;
    for (final String line : Files.readAllLines(Path.of(files.get(1)))) {
      if (line.isBlank() || line.startsWith("#")) continue;
      Harness.phase = "line " + (++n) + ": " + line;
      final String[] f = line.split("\t");
      Harness.edt(() -> { act(f); return null; });
      Harness.settle();
      if (f[0].equals("wander")) Wandering.wander(Integer.parseInt(f[1]), Long.parseLong(f[2]));
      if (f[0].equals("shot")) shot(new File(f[1]));
      if (f[0].equals("look")) look(piece(f[1]));
    }
    Harness.phase = "write";
    Harness.edt(() -> { LogAccess.write(); return null; });
    res.put("played", n);
    res.put("clicked", clicked);
    res.putAll(Harness.edt(() -> StateDump.dump(false)));
    res.put("notices", Harness.notices);
    return Harness.finish(res);
  }

  private static final List<Object> clicked = new ArrayList<>();

  /** the name of the piece that the engine's own search gives a click: nothing is selected */
  private static String under(String map, String x, String y) {
    final GamePiece p = Map.getMapById(map).findPiece(new Point(Integer.parseInt(x), Integer.parseInt(y)), PieceFinder.PIECE_IN_STACK);
    return p == null ? "" : String.valueOf(p.getProperty("UnitId") == null || "".equals(p.getProperty("UnitId")) ? p.getName() : p.getProperty("UnitId"));
  }

  private static void act(String[] f) {
    final GameModule g = GameModule.getGameModule();
    switch (f[0]) {
      case "key": press(f[1], stroke(f[2])); break;
      case "menu": press(f[1], entry(piece(f[1].split(",")[0]), f[2])); break;
      case "drag": dragTo(pieces(f[1]), f[2], f[3], f[4]); break;
      case "draw": dragTo(top(f[1]), f[2], f[3], f[4]); break;
      case "button": button(f[1]).doClick(0); break;
      case "hotkey": g.fireKeyStroke(NamedKeyStroke.of(stroke(f[1]))); break;
      case "say": g.getChatter().send("<" + GlobalOptions.getInstance().getPlayerId() + "> - " + f[1]); break;
      case "undo": LogAccess.undo(); break;
      case "side": g.sendAndLog(LogAccess.sit(f[1])); break;
      case "shot": case "look": case "wander": break;   // see run(): not on the event thread
      case "take": dragTo(List.of(fromPalette(f[1])), f[2], f[3], f[4]); break;
      case "dice": load(f[1]); break;
      case "spread": spread(piece(f[1])); break;
      case "click": clicked.add(under(f[1], f[2], f[3])); break;
      default: throw new IllegalArgumentException("unknown action " + f[0]);
    }
  }

  /** a photo of the screen, main window and all that has been opened */
  private static void shot(File out) throws Exception {
    final Dimension scr = Toolkit.getDefaultToolkit().getScreenSize();
    Harness.edt(() -> {
      final Window w = GameModule.getGameModule().getPlayerWindow();
      w.setBounds(0, 0, scr.width, scr.height);
      w.validate();
      for (final Map m : Map.getMapList()) m.getComponent().repaint();   // who has changed sides sees other faces
      return null;
    });
    for (int i = 0; i < 8; i++) Thread.sleep(250);
    Harness.settle();
    ImageIO.write(new Robot().createScreenCapture(new Rectangle(0, 0, scr.width, scr.height)), "png", out);
  }

  /** a copy of a counter of the palette, as a drag out of its window makes it */
  private static GamePiece fromPalette(String name) {
    for (final PieceSlot s : GameModule.getGameModule().getAllDescendantComponentsOf(PieceSlot.class)) {
      final GamePiece p = s.getPiece();
      if (p != null && (name.equals(p.getProperty("UnitId")) || name.equals(p.getProperty("MarkerId")))) {
        final GamePiece copy = PieceCloner.getInstance().clonePiece(p);
        copy.setProperty(Properties.PIECE_ID, s.getGpId());
        return copy;
      }
    }
    throw new IllegalArgumentException("no " + name + " in the palette");
  }

  /** loaded dice, so that a played turn is the same each time; decks are shuffled alike too */
  private static void load(String values) {
    final Deque<Integer> next = new ArrayDeque<>();
    for (final String v : values.split(",")) next.add(Integer.valueOf(v));
    final Random loaded = new Random(7) {
      @Override public int nextInt(int n) { return n == 6 && !next.isEmpty() ? next.poll() - 1 : super.nextInt(n); }
    };
    try {
      final java.lang.reflect.Field ran = DiceButton.class.getDeclaredField("ran");
      ran.setAccessible(true);
      for (final DiceButton d : GameModule.getGameModule().getComponentsOf(DiceButton.class)) ran.set(d, loaded);
      final java.lang.reflect.Field rng = GameModule.class.getDeclaredField("RNG");
      rng.setAccessible(true);
      rng.set(GameModule.getGameModule(), new Random(7));
    }
    catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
  }

  /** the stack of a piece spread out, in the middle of the window at the size of the pictures */
  private static void spread(GamePiece p) {
    final Map m = p.getMap();
    if (m.getZoomer() != null) m.getZoomer().setZoomFactor(1.0);
    if (p.getParent() != null) p.getParent().setExpanded(true);
    m.centerAt(p.getPosition());
    m.getComponent().repaint();
  }

  /** the mouse on a piece for as long as the stack viewer waits */
  private static void look(GamePiece p) throws Exception {
    final Map m = p.getMap();
    final Point at = Harness.edt(() -> {
      if (p.getParent() != null) p.getParent().setExpanded(false);
      m.centerAt(p.getPosition());
      final Point drawn = m.mapToComponent(p.getPosition());
      SwingUtilities.convertPointToScreen(drawn, m.getComponent());
      return drawn;
    });
    Harness.settle();
    final Robot robot = new Robot();
    robot.mouseMove(at.x - 5, at.y - 5);
    Thread.sleep(100);
    robot.mouseMove(at.x, at.y);
    Thread.sleep(1500);
  }

  // ---------------------------------------------------------------- pieces

  private static GamePiece piece(String name) {
    GamePiece found = null;
    for (final GamePiece p : GameModule.getGameModule().getGameState().getAllPieces()) {
      if (p instanceof Stack) continue;
      final boolean named = name.equals(p.getId()) || name.equals(p.getProperty("UnitId")) || name.equals(p.getProperty("MarkerId"));
      if (named && !(p.getParent() instanceof Deck) && p.getMap() != null && found == null) found = p;
    }
    if (found == null) throw new IllegalArgumentException("no piece " + name);
    return found;
  }

  private static List<GamePiece> pieces(String names) {
    final List<GamePiece> l = new ArrayList<>();
    for (final String name : names.split(",")) l.add(piece(name));
    return l;
  }

  private static List<GamePiece> top(String deck) {
    for (final GamePiece p : GameModule.getGameModule().getGameState().getAllPieces()) {
      if (!(p instanceof Deck) || !deck.equals(((Deck) p).getDeckName())) continue;
      final List<GamePiece> l = new ArrayList<>();
      for (final PieceIterator it = ((Deck) p).drawCards(); it.hasMoreElements();) l.add(it.nextPiece());
      return l;
    }
    throw new IllegalArgumentException("no deck " + deck);
  }

  /** what ForwardToKeyBuffer and the menu of a piece do */
  private static void press(String names, KeyStroke k) {
    final KeyBuffer b = KeyBuffer.getBuffer();
    b.clear();
    for (final GamePiece p : pieces(names)) b.add(p);
    GameModule.getGameModule().sendAndLog(b.keyCommand(k));
    b.clear();
  }

  private static KeyStroke entry(GamePiece p, String text) {
    for (final KeyCommand c : (KeyCommand[]) p.getProperty(Properties.KEY_COMMANDS)) {
      if (text.equals(c.getName())) {
        if (!c.isEnabled()) throw new IllegalArgumentException("the entry " + text + " is disabled");
        return c.getKeyStroke();
      }
    }
    throw new IllegalArgumentException("no menu entry " + text);
  }

  private static KeyStroke stroke(String s) {
    final String[] f = s.split(",");
    return KeyStroke.getKeyStroke(Integer.parseInt(f[0]), Integer.parseInt(f[1]));
  }

  static void dragTo(List<GamePiece> l, String map, String x, String y) {
    final DragBuffer d = DragBuffer.getBuffer();
    d.clear();
    for (final GamePiece p : l) d.add(p);
    final Point at = new Point(Integer.parseInt(x), Integer.parseInt(y));
    final Map m = Map.getMapById(map);
    if (m == null) throw new IllegalArgumentException("no map " + map);
    MoverAccess.drop(m, at);
  }

  // ---------------------------------------------------------------- toolbar

  static List<JToolBar> bars() {
    final List<JToolBar> l = new ArrayList<>();
    l.add(GameModule.getGameModule().getToolBar());
    for (final Map m : Map.getMapList()) l.add(m.getToolBar());
    return l;
  }

  private static List<Object> visibleButtons() {
    final List<Object> l = new ArrayList<>();
    for (final JToolBar bar : bars()) for (final Component c : bar.getComponents())
      if (c instanceof JButton && c.isVisible() && ((JButton) c).getText() != null && !((JButton) c).getText().isEmpty()) l.add(((JButton) c).getText());
    return l;
  }

  private static JPopupMenu popup(Component c) {
    final Object menu = c instanceof JButton ? ((JButton) c).getClientProperty(ToolbarMenu.MENU_PROPERTY) : null;
    return menu instanceof JPopupMenu ? (JPopupMenu) menu : null;
  }

  private static java.util.Map<String, Object> menus() {
    final java.util.Map<String, Object> m = new LinkedHashMap<>();
    for (final JToolBar bar : bars()) for (final Component c : bar.getComponents()) {
      if (popup(c) == null) continue;
      final List<Object> entries = new ArrayList<>();
      for (final Component e : popup(c).getComponents()) if (e instanceof JMenuItem) entries.add(((JMenuItem) e).getText());
      m.put(((JButton) c).getText(), entries);
    }
    return m;
  }

  private static AbstractButton button(String text) {
    for (final JToolBar bar : bars()) for (final Component c : bar.getComponents()) {
      if (popup(c) != null) for (final Component e : popup(c).getComponents()) if (e instanceof JMenuItem && text.equals(((JMenuItem) e).getText())) return (JMenuItem) e;
      if (c instanceof JButton && c.isVisible() && text.equals(((JButton) c).getText())) return (JButton) c;
    }
    throw new IllegalArgumentException("no button " + text);
  }
}
