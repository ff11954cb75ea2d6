//! Output of the graph as a picture. The crate `layout` places blocks in layers, after Sugiyama, Tagawa and Toda.

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::geometry::{Point, get_size_for_str};
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

use symloc_report::answers::ops::count_text::OpsSubject;
use symloc_report::answers::ops::graph::OpsGraph;

/// Returns the picture as text.
pub(crate) fn text(graph: &OpsGraph, subject: &OpsSubject) -> String {
    let style = StyleAttr { line_width: 1, font_size: 11, ..StyleAttr::simple() };
    let mut picture = VisualGraph::new(Orientation::TopToBottom);
    let mut handles = Vec::new();
    for node in &graph.nodes {
        let label = graph.node_text(node, subject).join("\n");
        // A letter is about 0.65 times as wide as the crate assumes.
        let size = get_size_for_str(&label, style.font_size);
        let size = Point::new(size.x * 0.65 + 20.0, size.y + 20.0);
        let shape = ShapeKind::new_box(&label);
        handles.push(picture.add_node(Element::create(shape, style.clone(), Orientation::TopToBottom, size)));
    }
    for edge in &graph.edges {
        let label = graph.edge_text(edge, subject).join("\n");
        let arrow = Arrow { look: style.clone(), ..Arrow::simple(&label) };
        picture.add_edge(arrow, handles[edge.from], handles[edge.to]);
    }
    let mut writer = SVGWriter::new();
    picture.do_it(false, false, false, &mut writer);
    in_order(&writer.finalize())
}

/// Sorts the styles of a picture, which the crate writes in the order of a hash table.
fn in_order(picture: &str) -> String {
    let parts = picture.split_once("<style>\n").and_then(|(head, rest)| Some((head, rest.split_once("</style>")?)));
    let Some((head, (styles, rest))) = parts else { return picture.to_owned() };
    let mut styles: Vec<_> = styles.lines().collect();
    styles.sort_unstable();
    format!("{head}<style>\n{}\n</style>{rest}\n", styles.join("\n"))
}
